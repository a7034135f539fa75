import { QueryTypes, type SqlDialect } from '@holdfast/storage-sequelize';

const rowless =
  'INSERT INTO sqlite_sequence (name, seq) SELECT $1, 0 ' +
  'WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = $1)';

/** AUTOINCREMENT keeps the highest id of each table in a table of its own, where it has one after the first row. */
export const sqliteIds: NonNullable<SqlDialect['ids']> = {
  async last({ sequelize }, table) {
    const [row] = await sequelize.query<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = $1', {
      bind: [table],
      type: QueryTypes.SELECT,
    });
    return Number(row?.seq ?? 0);
  },

  async reserve({ sequelize }, table, id) {
    await sequelize.query(rowless, { bind: [table], type: QueryTypes.RAW });
    const sql = 'UPDATE sqlite_sequence SET seq = MAX(seq, $2) WHERE name = $1';
    await sequelize.query(sql, { bind: [table, id], type: QueryTypes.RAW });
  },
};
