import { findMongod } from './mongod.mjs';

/**
 * MongoDB: the server of MONGODB_URI, otherwise one that is started for this run. Tests of faults start and end their
 * own servers, so the program is needed either way. The variables have separate names: with MONGODB_URI, every
 * service that a test starts would use it.
 */
export const mongodb = {
  name: 'MongoDB',
  neededBy: /TEST_MONGO(D|DB_URI)\b/,
  variable: 'MONGODB_URI, and mongod on PATH',
  async prepare() {
    const program = await findMongod();
    const given = process.env.MONGODB_URI;
    if (given) return { found: 'the server of MONGODB_URI', env: environment(program, given) };
    // Not imported earlier: the preparation installs the client library.
    const { MongoServer } = await import('./mongo-server.mjs');
    const server = await MongoServer.start(program, { replicaSet: true });
    return { found: program, env: environment(program, server.uri), stop: () => server.remove() };
  },
};

/** An empty variable counts as absent. */
const environment = (program, uri) => ({ TEST_MONGOD: program, TEST_MONGODB_URI: uri, MONGODB_URI: '' });
