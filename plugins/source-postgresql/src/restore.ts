import {
  type CommandHost,
  outputOf,
  type SourceSettings,
  type StoredDump,
} from '@holdfast/plugin-api/source';
import { command, globalsName, query } from './client.js';

interface Target {
  into: string;
  replace: boolean;
}

/** Restores beside what is there, and takes its place only when all of it is back. */
export async function restore(
  host: CommandHost,
  settings: SourceSettings,
  { dump, into, replace }: Target & { dump: StoredDump },
): Promise<{ text: string }> {
  if (dump.name === globalsName) return restoreGlobals(host, settings, dump);
  const fresh = `${into.slice(0, 40)}_holdfast_new`;
  const exists = async (name: string) => {
    const sql = `SELECT 1 FROM pg_database WHERE datname = :'name'`;
    const problem = 'PostgreSQL does not answer';
    return (await query(host, settings, { sql, variables: { name }, problem })).length > 0;
  };
  if (!replace && (await exists(into))) throw new Error(`There is a database ${into}: choose another name.`);
  const run = (sql: string, problem: string) =>
    query(host, settings, { sql, variables: { fresh, into }, problem });
  await run('DROP DATABASE IF EXISTS :"fresh"', `What an earlier restore left can't be removed`);
  await run('CREATE DATABASE :"fresh" TEMPLATE template0', `The database can't be created`);
  try {
    const argv = ['pg_restore', '--single-transaction', '-w', '-d', connectionTo(fresh)];
    await outputOf(
      host,
      command(settings, argv, { input: dump.open() }),
      `${into} was not restored; if a role is missing, restore ${globalsName} first`,
    );
    if (replace) await run('DROP DATABASE IF EXISTS :"into" WITH (FORCE)', `${into} can't be replaced`);
    await run('ALTER DATABASE :"fresh" RENAME TO :"into"', `${into} can't be named`);
  } catch (error) {
    await run('DROP DATABASE IF EXISTS :"fresh" WITH (FORCE)', 'Not removed').catch(() => {});
    throw error;
  }
  const sql = `SELECT pg_size_pretty(pg_database_size(:'into'))`;
  const [size] = await run(sql, 'PostgreSQL does not answer');
  return { text: `Database ${into} was restored (${size}).` };
}

/** pg_restore wants its database as an argument, and takes some names for addresses. */
const connectionTo = (name: string) => `dbname='${name.replaceAll(/[\\']/g, '\\$&')}'`;

/** Roles that exist stay as they are. */
async function restoreGlobals(host: CommandHost, settings: SourceSettings, dump: StoredDump) {
  const argv = ['psql', '-Xqw', '-v', 'ON_ERROR_STOP=0'];
  await outputOf(host, command(settings, argv, { input: dump.open() }), 'The roles were not restored');
  return { text: 'Roles and tablespaces were restored. Those that existed were kept.' };
}
