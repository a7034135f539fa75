import { findMongod } from './mongod.mjs';

/**
 * MongoDB: the one of MONGODB_URI, else one that is started for this run. Tests of faults start and end servers of
 * their own, so the program is needed either way. The variables have names of their own: under MONGODB_URI every
 * service that a test starts would use it.
 */
export const mongodb = {
  name: 'MongoDB',
  neededBy: /TEST_MONGO(D|DB_URI)\b/,
  variable: 'MONGODB_URI, and mongod on PATH',
  async prepare() {
    const program = await findMongod();
    const given = process.env.MONGODB_URI;
    if (given) return { found: 'the one of MONGODB_URI', env: environment(program, given) };
    // Not before: the client library is installed by the preparation.
    const { MongoServer } = await import('./mongo-server.mjs');
    const server = await MongoServer.start(program, { replicaSet: true });
    return { found: program, env: environment(program, server.uri), stop: () => server.remove() };
  },
};

/** An empty variable counts as absent. */
const environment = (program, uri) => ({ TEST_MONGOD: program, TEST_MONGODB_URI: uri, MONGODB_URI: '' });
