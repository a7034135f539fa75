import {
  type Command,
  type CommandHost,
  databasesAmong,
  outputOf,
  type SourceSettings,
  withVariable,
} from '@holdfast/plugin-api/source';

/** The file with roles and tablespaces. No database has this name: names of dumps end in `.dump`. */
export const globalsName = 'globals.sql';
export const globalsEnd = 'PostgreSQL database cluster dump complete';

/** The connection is in variables: arguments are visible to others, and a database name could be read as an address. */
export function command(
  settings: SourceSettings,
  argv: readonly string[],
  more: Partial<Command> = {},
): Command {
  const { host, port, user = 'postgres', password, password_from, run_as } = settings;
  return {
    ...more,
    argv: withVariable('PGPASSWORD', password_from, run_as ? ['runuser', '-u', run_as, '--', ...argv] : argv),
    env: {
      PGUSER: user,
      PGDATABASE: 'postgres',
      PGCONNECT_TIMEOUT: '10',
      PGAPPNAME: 'Holdfast',
      ...(host && { PGHOST: host }),
      ...(port && { PGPORT: port }),
      ...(password && { PGPASSWORD: password }),
      ...more.env,
    },
  };
}

/** Runs SQL. Variables are quoted by psql: `:'name'` is a text, `:"name"` a name. Returns one row per NUL. */
export async function query(
  host: CommandHost,
  settings: SourceSettings,
  { sql, variables = {}, problem }: { sql: string; variables?: Record<string, string>; problem: string },
): Promise<string[]> {
  const set = Object.entries(variables).flatMap(([name, value]) => ['-v', `${name}=${value}`]);
  const argv = ['psql', '-XAtqw0', '-v', 'ON_ERROR_STOP=1', ...set];
  const output = await outputOf(host, command(settings, argv, { input: `${sql}\n` }), problem);
  return output.split('\0').filter((row) => row !== '');
}

const cannotAsk = 'PostgreSQL does not answer';

/** The databases to dump. Throws an Error when one that is named does not exist. */
export async function databasesOf(settings: SourceSettings, host: CommandHost): Promise<string[]> {
  const sql = 'SELECT datname FROM pg_database WHERE datallowconn AND NOT datistemplate ORDER BY 1';
  const all = await query(host, settings, { sql, problem: cannotAsk });
  return databasesAmong(all, settings);
}

export interface ServerFacts {
  version: number;
  isSuperuser: boolean;
  bytes: number;
}

export async function serverFacts(
  settings: SourceSettings,
  host: CommandHost,
  databases: readonly string[],
): Promise<ServerFacts> {
  const sql = `SELECT current_setting('server_version_num')::int / 10000,
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
    (SELECT coalesce(sum(pg_database_size(datname)), 0) FROM pg_database
      WHERE datname = ANY (SELECT json_array_elements_text(:'names')))`;
  const variables = { names: JSON.stringify(databases) };
  const [row = ''] = await query(host, settings, { sql, variables, problem: cannotAsk });
  const [version, superuser, bytes] = row.split('|');
  return { version: Number(version), isSuperuser: superuser === 't', bytes: Number(bytes) };
}

/** The major version of a client program; null if it is not there. */
export async function clientVersion(settings: SourceSettings, host: CommandHost): Promise<number | null> {
  const { code, stdout } = await host.run(command(settings, ['pg_dump', '--version']));
  const [, major] = /\) (\d+)/.exec(stdout) ?? [];
  return code === 0 && major !== undefined ? Number(major) : null;
}
