import { open, rm } from 'node:fs/promises';
import { type StorageCopies, StoreError } from '@holdfast/plugin-api';
import { QueryTypes, type Sequelize } from '@holdfast/storage-sequelize';
import { makePool, type PostgresWaits } from './postgres-pool.js';
import { programOf, runProgram } from './postgres-programs.js';
import type { PostgresServer } from './postgres-server.js';

/** Our tables and sequences only: the database may hold more. Whoever puts them back becomes their owner. */
const shared = ['--no-owner', '--no-privileges'];

/** Copies in the custom format of `pg_dump`, which shows one moment of the database. */
export const postgresCopies = (server: PostgresServer, waits: PostgresWaits): StorageCopies => {
  const ask = async <T extends object>(sql: string): Promise<T | undefined> => {
    const pool: Sequelize = makePool(server, { size: 1, isolation: 'read committed', waits });
    try {
      return (await pool.query<T>(sql, { type: QueryTypes.SELECT }))[0];
    } finally {
      await pool.close();
    }
  };
  const serverMajor = async () => {
    const row = await ask<{ version: string }>("SELECT current_setting('server_version_num') AS version");
    return Math.floor(Number(row?.version) / 10_000);
  };
  return {
    form: 'postgres',
    async size() {
      const row = await ask<{ size: string }>('SELECT pg_database_size(current_database()) AS size');
      return Number(row?.size ?? 0);
    },
    async write(target, { signal } = {}) {
      const dump = await programOf('pg_dump', await serverMajor());
      // pg_dump would make a file that others can read, and would replace one that is there.
      const handle = await open(target, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST'
          ? new StoreError('invalid', `The file ${target} already exists.`)
          : error;
      });
      try {
        const parameters = ['--format=custom', '--table=public.*', ...shared, `--file=${target}`];
        await runProgram(server, dump, { parameters, signal });
        await handle.sync();
      } catch (error) {
        await rm(target, { force: true });
        throw error;
      } finally {
        await handle.close();
      }
    },
    async putBack(copy) {
      const restore = await programOf('pg_restore', await serverMajor());
      const row = await ask<{ tables: string }>(
        "SELECT COUNT(*) AS tables FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'p')",
      );
      if (Number(row?.tables) > 0)
        throw new StoreError('conflict', `The database ${server.target} is not empty.`);
      const parameters = [
        '--single-transaction',
        '--exit-on-error',
        ...shared,
        `--dbname=${server.database}`,
      ];
      await runProgram(server, restore, { parameters: [...parameters, copy] });
    },
  };
};
