import { MongoJobRepository } from '@agendajs/mongo-backend';
import type { AgendaBackend } from 'agenda';
import { type Collection, type Db, MongoServerError } from 'mongodb';
import type { OpenClient } from './mongo-client.js';
import { MongoLedger, strangers } from './mongo-ledger.js';

export const collection = 'holdfast_jobs';
/** Of earlier releases. Its timers are set again at the start. */
const earlier = 'holdfast_alarms';

/** Of an index: other options, other keys, documents with the same key. */
const conflicts = new Set([85, 86, 11_000]);

/**
 * Agenda's backend for MongoDB, in its own collection with at most one row per key, and with the documents of the
 * ledger. The library's backend would also create a collection for logs, which stays empty.
 */
export class TimerBackend implements AgendaBackend {
  readonly name = 'MongoDB';
  readonly repository: MongoJobRepository;
  readonly ledger: MongoLedger;
  readonly #documents: Collection;

  constructor(private readonly opened: OpenClient) {
    this.#documents = opened.database.collection(collection);
    this.ledger = new MongoLedger(this.#documents, () => this.#tidy());
    this.repository = new TimerRepository(opened.database, opened.durable);
  }

  /** May be called again after a failure. */
  async connect(): Promise<void> {
    const { client, database } = this.opened;
    // After a failed first attempt, a client stays closed until `connect` is called.
    await client.connect();
    await this.#usable();
    void database.dropCollection(earlier).catch(() => undefined);
  }

  async #tidy(): Promise<void> {
    await this.#usable();
    await this.#documents.deleteMany(strangers);
  }

  /** All but timers that only wake can be written again, so what breaks the index is no loss. */
  async #usable(): Promise<void> {
    await this.#index().catch(async (error: unknown) => {
      if (!(error instanceof MongoServerError && conflicts.has(Number(error.code)))) throw error;
      await this.#documents.drop();
      await this.#index();
    });
  }

  async #index(): Promise<void> {
    const hasKey = { 'data.key': { $exists: true } };
    await this.#documents.createIndexes([
      { name: 'timerKey', key: { name: 1, 'data.key': 1 }, unique: true, partialFilterExpression: hasKey },
      // With Agenda's own index, each look for expired locks reads the entries of all plans.
      { name: 'lockedTimer', key: { name: 1, lockedAt: 1, nextRunAt: 1 } },
    ]);
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
