import { MongoJobRepository } from '@agendajs/mongo-backend';
import type { AgendaBackend } from 'agenda';
import type { Db } from 'mongodb';
import type { OpenClient } from './mongo-client.js';

export const collection = 'holdfast_alarms';

/**
 * Agenda's backend for MongoDB, in its own collection with at most one row per key. The library's backend would also
 * create a collection for logs, which stays empty.
 */
export class TimerBackend implements AgendaBackend {
  readonly name = 'MongoDB';
  readonly repository: MongoJobRepository;

  constructor(private readonly opened: OpenClient) {
    this.repository = new TimerRepository(opened.database, opened.durable);
  }

  /** May be called again after a failure. */
  async connect(): Promise<void> {
    const { client, database } = this.opened;
    // After a failed first attempt, a client stays closed until `connect` is called.
    await client.connect();
    const unique = { name: 'alarmKey', unique: true };
    await database.collection(collection).createIndex({ name: 1, 'data.key': 1 }, unique);
    await this.repository.connect();
  }

  async disconnect(): Promise<void> {
    await this.opened.client.close();
  }
}

/** A timer counts as set once it is on the server's disk. Locks and removals need not be: they may be repeated. */
class TimerRepository extends MongoJobRepository {
  readonly #durable: MongoJobRepository;

  constructor(database: Db, durable: Db) {
    super({ mongo: database, db: { collection } });
    this.#durable = new MongoJobRepository({ mongo: durable, db: { collection }, ensureIndex: false });
  }

  override async connect(): Promise<void> {
    await super.connect();
    await this.#durable.connect();
  }

  override saveJob: MongoJobRepository['saveJob'] = (job, options) => this.#durable.saveJob(job, options);
}
