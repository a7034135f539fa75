import { type Db, MongoClient } from 'mongodb';

/** Bounds of one operation, in milliseconds: to find and reach a server, and to hear its answer. */
const reachWithin = 2_000;
const answerWithin = 3_000;
const connections = 10;

export interface OpenClient {
  client: MongoClient;
  /** The one that the URI names, else `holdfast`. */
  database: Db;
  /** The same one; what is written through it outlives the end of the server. */
  durable: Db;
}

/** Connects with the first use, and again by itself. Throws when the URI is not well formed; does not repeat it. */
export function openClient(uri: string): OpenClient {
  const client = makeClient(uri);
  const name = databaseOf(uri) || 'holdfast';
  const readPreference = 'primary';
  // To how many servers it is written, the URI says, or the replica set.
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
      // A second try of the driver's own would double the bounds; the next look of the timer service is one.
      retryReads: false,
      retryWrites: false,
      maxPoolSize: connections,
    });
  } catch (error) {
    // The driver's own words may repeat a part of the URI, and with it a password.
    const kind = error instanceof Error ? error.name : 'error';
    throw new Error(
      `the URI of MongoDB is not well formed (${kind}); see the connection strings of its manual`,
    );
  }
}

/** Behind the hosts, of which there may be several; names and passwords have no bare slash. */
const databaseOf = (uri: string): string =>
  decodeURIComponent(/^[a-z+]+:\/\/[^/?]+\/([^?]*)/.exec(uri)?.[1] ?? '');
