import { MongoBackend } from '@agendajs/mongo-backend';
import type { OpenClient } from './mongo-client.js';

const collection = 'holdfast_alarms';

/** Agenda's backend for MongoDB, in a collection of ours where a key has one row at most. */
export class AlarmBackend extends MongoBackend {
  constructor(private readonly opened: OpenClient) {
    super({ mongo: opened.database, collection });
  }

  /** May be called again after a failure. Agenda's collection for logs is not made: it would stay empty. */
  override async connect(): Promise<void> {
    const { client, database } = this.opened;
    // A client whose first try failed stays closed until it is told to connect.
    await client.connect();
    await database.collection(collection).createIndex({ name: 1, 'data.key': 1 }, { name: 'alarmKey', unique: true });
    await this.repository.connect();
  }
}
