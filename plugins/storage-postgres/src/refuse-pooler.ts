import { randomUUID } from 'node:crypto';
import { StoreError } from '@holdfast/plugin-api';
import { QueryTypes, type Sequelize } from '@holdfast/storage-sequelize';
import { isAway } from './postgres-errors.js';
import type { PostgresServer } from './postgres-server.js';

/**
 * A pooler that gives each transaction another connection drops the settings of ours: changes would no longer be
 * serialisable. Two connections tell: none of them may see a setting of the other, or lose its own.
 * @throws StoreError `invalid`
 */
export async function refusePooler(sequelize: Sequelize, { target }: PostgresServer): Promise<void> {
  const { connectionManager } = sequelize;
  const [first, second] = [
    await connectionManager.getConnection({ type: 'write' }),
    await connectionManager.getConnection({ type: 'write' }),
  ];
  const on = (connection: unknown) => ({
    run: (sql: string) => sequelize.query(sql, { transaction: { connection } as never }),
    async mark() {
      const sql = "SELECT current_setting('holdfast.session', true) AS mark";
      const options = { type: QueryTypes.SELECT, transaction: { connection } as never } as const;
      return (await sequelize.query<{ mark: string | null }>(sql, options))[0]?.mark;
    },
  });
  const [one, other] = [on(first), on(second)];
  const mark = randomUUID();
  try {
    await one.run(`SET holdfast.session = '${mark}'`);
    // While this transaction holds a connection of the pooler, the first one gets another.
    // A pooler of single statements refuses.
    await other.run('BEGIN').catch((error) => {
      throw isAway(error) ? error : shared(target);
    });
    const seen = [await other.mark(), await one.mark()];
    await other.run('COMMIT');
    if (seen[0] === mark || seen[1] !== mark) throw shared(target);
    await one.run('RESET holdfast.session');
  } finally {
    connectionManager.releaseConnection(first);
    connectionManager.releaseConnection(second);
  }
}

const shared = (target: string) =>
  new StoreError(
    'invalid',
    `DATABASE_URL leads to ${target} through a pooler that changes the connection between transactions ` +
      '(PgBouncer: pool_mode=transaction); set pool_mode=session, or connect to the server directly.',
  );
