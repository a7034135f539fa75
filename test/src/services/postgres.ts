import { PostgresServer } from '../../../scripts/services/postgres-server.mjs';

export type { PostgresServer };

/** A PostgreSQL server of the test's own, which keeps what it has confirmed, as those of people do. */
export function startPostgres(): Promise<PostgresServer> {
  const programs = process.env.TEST_POSTGRES_PROGRAMS;
  if (!programs) throw new Error('TEST_POSTGRES_PROGRAMS names no folder; run the tests by npm test.');
  return PostgresServer.start(programs, { settings: { fsync: 'on', synchronous_commit: 'on' } });
}
