import { StoreError } from '@holdfast/plugin-api';
import { QueryTypes } from '@holdfast/storage-sequelize';

const patienceSeconds = 60;

/**
 * Runs `work` while this process holds the lock of the schema. The lock belongs to a connection, so it does not
 * survive a crash. Schema changes are not part of transactions here: after a crash, they are applied again, and
 * existing ones are skipped. Failed changes are undone.
 */
export async function whileAlone(connections, { target, work }) {
  const { sequelize } = connections.reader;
  const { connectionManager } = sequelize;
  const holder = await connectionManager.getConnection({ type: 'write' });
  const ask = async (call) => {
    const options = { type: QueryTypes.SELECT, transaction: { connection: holder } };
    const [{ done }] = await sequelize.query(`SELECT ${call} AS done`, options);
    return Number(done) === 1;
  };
  // Such locks apply to the whole server.
  const name = "CONCAT('holdfast ', MD5(DATABASE()))";
  try {
    if (!(await ask(`GET_LOCK(${name}, ${patienceSeconds})`))) {
      throw new StoreError(
        'unavailable',
        `Another instance is changing the schema of ${target}; start again later.`,
      );
    }
    await work(connections);
    await ask(`RELEASE_LOCK(${name})`);
  } finally {
    connectionManager.releaseConnection(holder);
  }
}
