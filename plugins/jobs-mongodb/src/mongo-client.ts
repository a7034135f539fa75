import { type Db, MongoClient } from 'mongodb';

/** Timeouts of one operation in milliseconds: to find and reach a server, and to get its answer. */
const reachWithin = 2_000;
const answerWithin = 3_000;
const connections = 10;

export interface OpenClient {
  client: MongoClient;
  /** The database in the URI, otherwise `holdfast`. */
  database: Db;
  /** The same database; writes through it survive a crash of the server. */
  durable: Db;
}

/** Connects on first use and reconnects by itself. Throws if the URI is malformed, without repeating it. */
export function openClient(uri: string): OpenClient {
  const client = makeClient(uri);
  const name = databaseOf(uri) || 'holdfast';
  const readPreference = 'primary';
  // The URI or the replica set decides how many servers confirm a write.
  const writeConcern = { ...client.writeConcern, journal: true };
  return {
    client,
    database: client.db(name, { readPreference }),
    durable: client.db(name, { readPreference, writeConcern }),
  };
}

function makeClient(uri: string): MongoClient {
  try {
    return new MongoClient(uri, {
      appName: 'holdfast',
      connectTimeoutMS: reachWithin,
      serverSelectionTimeoutMS: reachWithin,
      waitQueueTimeoutMS: reachWithin,
      socketTimeoutMS: answerWithin,
      // A retry by the driver would double the timeouts; the timer service polls again anyway.
      retryReads: false,
      retryWrites: false,
      maxPoolSize: connections,
    });
  } catch (error) {
    // The driver's message may repeat a part of the URI, and with it a password.
    const kind = error instanceof Error ? error.name : 'error';
    throw new Error(`the MongoDB URI is malformed (${kind}); see "Connection Strings" in the MongoDB manual`);
  }
}

/** The part after the hosts, of which there may be several. Names and passwords have no bare slash. */
const databaseOf = (uri: string): string =>
  decodeURIComponent(/^[a-z+]+:\/\/[^/?]+\/([^?]*)/.exec(uri)?.[1] ?? '');
