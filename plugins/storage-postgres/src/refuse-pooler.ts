import { randomUUID } from 'node:crypto';
import { StoreError } from '@holdfast/plugin-api';
import { QueryTypes, type Sequelize, type Transaction } from '@holdfast/storage-sequelize';
import { isAway } from './postgres-errors.js';
import type { PostgresServer } from './postgres-server.js';

/**
 * A pooler that gives each transaction another connection drops the settings of ours: changes would no longer be
 * serialisable. Two connections tell, one of each pool: none of them may see a setting of the other, or lose its own.
 * @throws StoreError `invalid`
 */
export async function refusePooler(
  one: Sequelize,
  other: Sequelize,
  { target }: PostgresServer,
): Promise<void> {
  const markOf = async (pool: Sequelize, transaction?: Transaction) => {
    const sql = "SELECT current_setting('holdfast.session', true) AS mark";
    const [row] = await pool.query<{ mark: string | null }>(sql, { type: QueryTypes.SELECT, transaction });
    return row?.mark;
  };
  const mark = randomUUID();
  await one.query(`SET holdfast.session = '${mark}'`);
  // While this transaction holds a connection of the pooler, the first one gets another. A pooler of single statements
  // refuses it.
  const transaction = await other.transaction().catch((error) => {
    throw isAway(error) ? error : shared(target);
  });
  try {
    const seen = [await markOf(other, transaction), await markOf(one)];
    if (seen[0] === mark || seen[1] !== mark) throw shared(target);
  } finally {
    await transaction.rollback();
  }
  await one.query('RESET holdfast.session');
}

const shared = (target: string) =>
  new StoreError(
    'invalid',
    `DATABASE_URL leads to ${target} through a pooler that changes the connection between transactions ` +
      '(PgBouncer: pool_mode=transaction); set pool_mode=session, or connect to the server directly.',
  );
