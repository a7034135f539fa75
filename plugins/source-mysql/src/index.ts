import { definePlugin } from '@holdfast/plugin-api';
import type { Source } from '@holdfast/plugin-api/source';
import { z } from 'zod';
import { command, databasesOf, hasDump, query, textOf } from './client.js';
import { fields } from './fields.js';
import { prove } from './prove.js';
import { restore } from './restore.js';

const endMark = '-- Dump completed';
const noDump = (host: string) => `${host} has no mariadb-dump or mysqldump: install the client programs.`;

/** MariaDB and MySQL: one dump for each database. */
const mysql: Source = {
  title: 'MariaDB, MySQL',
  fields,
  async find({ host }) {
    // As most packages set it up: root of the system is root of the server.
    const databases = await databasesOf({}, host).catch(() => []);
    return databases.map((name) => ({ name, settings: { databases: name } }));
  },
  async check(settings, { host }) {
    try {
      if (!(await hasDump(host))) return [{ status: 'failed', text: noDump(host.name) }];
      const databases = await databasesOf(settings, host);
      const among = `table_schema IN (${databases.map(textOf).join(', ') || "''"})`;
      const engines = `SELECT coalesce(sum(data_length + index_length), 0), coalesce(sum(engine = 'MyISAM'), 0)
        FROM information_schema.tables WHERE ${among}`;
      const [row = ''] = await query(host, settings, engines);
      const [bytes, others] = row.split('\t').map(Number);
      const size = Math.ceil((bytes ?? 0) / 1_000_000);
      return [
        { status: 'ok', text: `${databases.length} databases with ${size} MB: ${databases.join(', ')}.` },
        ...(others
          ? [
              {
                status: 'warning' as const,
                text: `${others} tables have no transactions (MyISAM): their dump may not be of one moment.`,
              },
            ]
          : []),
      ];
    } catch (error) {
      return [{ status: 'failed', text: (error as Error).message }];
    }
  },
  async prepare(settings, { host }) {
    if (!(await hasDump(host))) throw new Error(noDump(host.name));
    const databases = await databasesOf(settings, host);
    const flags = [
      ...['--single-transaction', '--quick', '--routines', '--events', '--triggers', '--hex-blob'],
      ...['--skip-dump-date', '--default-character-set=utf8mb4', '--skip-lock-tables'],
    ];
    return {
      dumps: databases.map((name) => ({
        name: `${name}.sql`,
        endMark,
        open: (signal) => host.open(command(settings, 'dump', { argv: [...flags, '--', name] }), signal),
      })),
    };
  },
  // A dump holds nothing once its connection is closed.
  release: async () => {},
  restore: (settings, dump, target, { host }) => restore(host, settings, { dump, ...target }),
  prove: (_settings, dump, context) => prove(dump, endMark, context),
};

export default definePlugin({ kind: 'source', configuration: z.object({}), create: () => mysql });
