import {
  type Command,
  type CommandHost,
  databasesAmong,
  outputOf,
  type SourceSettings,
  withVariable,
} from '@holdfast/plugin-api/source';

/** The programs have two names, and newer releases of MariaDB lack the old ones. */
const either = 'if command -v "$1" >/dev/null; then name=$1; else name=$2; fi; shift 2; exec "$name" "$@"';
const names = { client: ['mariadb', 'mysql'], dump: ['mariadb-dump', 'mysqldump'] } as const;

export function command(
  { host, port, socket, user = 'root', password, password_from }: SourceSettings,
  program: keyof typeof names,
  { argv = [], ...more }: Partial<Command> = {},
): Command {
  const flags = [
    ...(host ? [`--host=${host}`] : []),
    ...(port ? [`--port=${port}`] : []),
    ...(socket ? [`--socket=${socket}`] : []),
    `--user=${user}`,
  ];
  return {
    ...more,
    // First: files of the system user must not decide what is saved.
    argv: withVariable('MYSQL_PWD', password_from, [
      ...['sh', '-c', either, 'sh', ...names[program], '--no-defaults', ...flags, ...argv],
    ]),
    env: { ...(password && { MYSQL_PWD: password }), ...more.env },
  };
}

const cannotAsk = 'The server does not answer';
const own = ['information_schema', 'performance_schema', 'sys', 'mysql'];

/** Runs SQL; one row per line, with tabs between the columns. Line breaks and tabs in texts come escaped. */
export const query = async (
  host: CommandHost,
  settings: SourceSettings,
  sql: string,
  problem = cannotAsk,
): Promise<string[]> => {
  const argv = ['--batch', '--skip-column-names', '--connect-timeout=10', '--default-character-set=utf8mb4'];
  const output = await outputOf(host, command(settings, 'client', { argv, input: `${sql}\n` }), problem);
  return output.split('\n').filter((row) => row !== '');
};

export const nameOf = (text: string): string => `\`${text.replaceAll('`', '``')}\``;
export const textOf = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

/** The databases to dump. Throws an Error when one that is named does not exist. */
export async function databasesOf(settings: SourceSettings, host: CommandHost): Promise<string[]> {
  // As hexadecimal digits: the client escapes some characters of texts.
  const rows = await query(host, settings, 'SELECT hex(schema_name) FROM information_schema.schemata');
  const all = rows
    .map((row) => Buffer.from(row, 'hex').toString())
    .filter((name) => !own.includes(name))
    .toSorted();
  return databasesAmong(all, settings);
}

export const hasDump = async (host: CommandHost): Promise<boolean> =>
  (await host.run(command({}, 'dump', { argv: ['--version'] }))).code === 0;
