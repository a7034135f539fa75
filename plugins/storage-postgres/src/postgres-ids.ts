import { QueryTypes, type SqlDialect } from '@holdfast/storage-sequelize';

const sequence = "pg_get_serial_sequence($1, 'id')::regclass";

/** Each table has a sequence of its own, which knows what it gave also when the row is gone. */
export const postgresIds: NonNullable<SqlDialect['ids']> = {
  async last({ sequelize, transaction }, table) {
    const [row] = await sequelize.query<{ last: string | null }>(
      `SELECT pg_sequence_last_value(${sequence}) AS last`,
      { bind: [`"${table}"`], type: QueryTypes.SELECT, transaction },
    );
    return Number(row?.last ?? 0);
  },

  async reserve({ sequelize, transaction }, table, id) {
    const [row] = await sequelize.query<{ highest: string }>(
      `SELECT GREATEST($2::bigint, COALESCE(MAX(id), 0), COALESCE(pg_sequence_last_value(${sequence}), 0))
         AS highest FROM "${table}"`,
      { bind: [`"${table}"`, id], type: QueryTypes.SELECT, transaction },
    );
    const highest = Number(row?.highest ?? 0);
    // A sequence begins with 1.
    if (highest === 0) return;
    const bind = [`"${table}"`, highest];
    await sequelize.query(`SELECT setval(${sequence}, $2)`, { bind, type: QueryTypes.SELECT, transaction });
  },
};
