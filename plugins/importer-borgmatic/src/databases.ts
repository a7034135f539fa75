import { say } from '@holdfast/plugin-api';
import type { LeavingRepository } from '@holdfast/plugin-api/importer';
import { Config, inside, itemsOf } from './options.js';
import type { Option, Value } from './tree.js';

/** Sources as a settings document has them. */
export interface Databases {
  sources: (Value & { kind: string; name: string; settings: Record<string, string> })[];
  /** By kind and name. */
  secrets: Record<string, Record<string, string>>;
}

const kinds: Readonly<Record<string, string>> = {
  postgresql_databases: 'postgresql',
  mariadb_databases: 'mysql',
  mysql_databases: 'mysql',
  mongodb_databases: 'mongodb',
  sqlite_databases: 'sqlite',
};
const asOtherUser = /^(?:sudo -u|runuser -u) (\S+)(?: --)? pg_dump$/;
const connection = ['hostname', 'port', 'username', 'password', 'container'];
/** They say how something is dumped or restored, not what. */
const ways = new Set([
  ...['format', 'compression', 'label', 'no_owner', 'add_drop_database', 'analyze_options', 'skip_names'],
  ...['restore_hostname', 'restore_port', 'restore_username', 'restore_password', 'restore_container'],
  ...['restore_options', 'restore_path', 'pg_restore_command', 'psql_command', 'sqlite_restore_command'],
  ...['mysql_command', 'mariadb_command', 'mongorestore_command', 'password_transport'],
]);

/** The databases that a file names. Those of one server become one source. */
export function databasesOf(config: Config): Databases {
  const found: Databases = { sources: [], secrets: {} };
  const servers = new Map<string, Databases['sources'][number]>();
  for (const [name, kind] of Object.entries(kinds)) {
    const option = config.get(name);
    config.report.take(option);
    if (option && option.value.kind !== 'list') config.refuse(option);
    for (const item of option ? itemsOf(option) : []) addTo(found, servers, { kind, item, config });
  }
  // Without names: all of them.
  for (const { settings } of found.sources) if (settings.databases === '') delete settings.databases;
  addSnapshots(found, config);
  return found;
}

/** As settings documents show secrets, which are apart. */
const masked = '***';

const volumes = ['btrfs', 'lvm', 'zfs'];

/** One source for all of them. `zfs:` alone switches snapshots on. */
function addSnapshots({ sources }: Databases, { options, report }: Config): void {
  const wanted = options.filter(({ name }) => volumes.includes(name));
  if (wanted.length === 0) return;
  const settings: Record<string, string> = {};
  for (const option of wanted) {
    const inner = new Config(option.value.kind === 'map' ? inside(option.value, option.key) : [], report);
    const size = inner.text('snapshot_size');
    if (size !== null) settings.lvm_size = size;
    report.change(
      option,
      say`borgmatic_snapshots: Holdfast makes snapshots of all source directories, and needs root for it: choose folders in the source if some are on other file systems.`,
    );
    const others = inner.options.map(({ name }) => name);
    const lost = others.filter((name) => name !== 'snapshot_size' && !name.endsWith('_command'));
    if (lost.length > 0)
      report.lose(
        option,
        say`borgmatic_snapshot_settings: Holdfast does not know ${{ settings: lost }}.`,
        'snapshots',
      );
  }
  sources.push({ kind: 'snapshot', name: 'snapshots', container: null, settings });
}

function addTo(
  found: Databases,
  servers: Map<string, Databases['sources'][number]>,
  { kind, item, config: { report } }: { kind: string; item: Option; config: Config },
): void {
  const entry = new Config(item.value.kind === 'map' ? inside(item.value, item.key) : [], report);
  const texts = Object.fromEntries(connection.map((name) => [name, entry.text(name)]));
  const runAs = asOtherUser.exec(entry.text('pg_dump_command') ?? '')?.[1];
  const name = entry.text(kind === 'sqlite' ? 'path' : 'name');
  if (name === null) {
    entry.refuse(item);
    return;
  }
  const { hostname, port, username, password, container } = texts;
  const ownDatabase = kind === 'mongodb' ? entry.text('authentication_database') : null;
  const userIn = ownDatabase ?? (name === 'all' ? 'admin' : name);
  const key = JSON.stringify([
    kind,
    ...Object.values(texts),
    runAs,
    kind === 'mongodb' && username && userIn,
  ]);
  let source = servers.get(key);
  if (!source) {
    source = {
      kind,
      name: freeName(kind === 'sqlite' ? 'sqlite' : (container ?? hostname ?? 'local'), kind, found),
      container: container ?? null,
      settings: {
        ...(hostname && !container && { host: hostname }),
        ...(port && { port }),
        ...(username && { user: username }),
        // borgmatic signs in as the user that runs it.
        ...(!username && kind === 'postgresql' && { user: runAs ?? 'root' }),
        ...(runAs && { run_as: runAs }),
        ...(password && { password: masked }),
        ...(kind === 'mongodb' && username && userIn !== 'admin' && { auth_database: userIn }),
      },
    };
    servers.set(key, source);
    found.sources.push(source);
    if (password) found.secrets[`${kind} ${source.name}`] = { password };
  }
  const field = kind === 'sqlite' ? 'files' : 'databases';
  const before = source.settings[field];
  const all = name === 'all' && kind !== 'sqlite';
  source.settings[field] =
    all || before === '' ? '' : [before, literal(kind, name)].filter(Boolean).join('\n');
  report.take(item);
  const known = [
    ...['name', 'path', ...connection],
    ...(runAs ? ['pg_dump_command'] : []),
    ...(kind === 'mongodb' ? ['authentication_database'] : []),
  ];
  const others = entry.options.filter((each) => !known.includes(each.name));
  const lost = others.filter((each) => !ways.has(each.name)).map((each) => each.name);
  if (lost.length > 0)
    report.lose(
      item,
      say`borgmatic_database_settings: Holdfast dumps databases without ${{ settings: lost }}: look at the sources of the repository after the import.`,
      'databases',
    );
  else if (others.length > 0)
    report.change(
      item,
      say`borgmatic_database_ways: Holdfast has its own format for dumps: ${{ settings: others.map((each) => each.name) }} have no effect.`,
    );
}

/** A pattern for files. */
const literal = (kind: string, name: string) =>
  kind === 'sqlite' ? name.replaceAll(/[[*?]/g, '[$&]') : name;

function freeName(wanted: string, kind: string, { sources }: Databases): string {
  const taken = new Set(sources.filter((one) => one.kind === kind).map(({ name }) => name));
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted} ${n}`;
  return name;
}

type Leaving = LeavingRepository['sources'][number];

const optionNames: Readonly<Record<string, string>> = {
  postgresql: 'postgresql_databases',
  mysql: 'mariadb_databases',
  mongodb: 'mongodb_databases',
  sqlite: 'sqlite_databases',
};

/** What Holdfast signs in as by default. */
const userOf: Readonly<Record<string, string>> = { postgresql: 'postgres', mysql: 'root' };

/** The way back; null if borgmatic has nothing like it. */
export function optionOf(
  { kind, name: source, container, settings }: Leaving,
  secretFile: (of: string) => string,
): { option: string; entries: Value[] } | null {
  const option = optionNames[kind];
  if (option === undefined || settings.password_from !== undefined) return null;
  const linesIn = (text: string | null | undefined) => (text ?? '').split('\n').filter((line) => line !== '');
  if (kind === 'sqlite') {
    const files = linesIn(settings.files).map((file) => file.replaceAll(/\[([[*?])\]/g, '$1'));
    if (linesIn(settings.files).some((file) => /[*?[]/.test(file.replaceAll(/\[[[*?]\]/g, '')))) return null;
    return { option, entries: files.map((path) => ({ name: path.split('/').at(-1), path })) };
  }
  const { host, port, user = userOf[kind], password, run_as, databases, auth_database } = settings;
  const names = linesIn(databases);
  const as = (program: string) => `runuser -u ${run_as} -- ${program}`;
  const rest = {
    ...(host && { hostname: host }),
    ...(container && { container }),
    ...(port && { port: Number(port) }),
    ...(user && { username: user }),
    // borgmatic looks for the user in the database itself otherwise.
    ...(kind === 'mongodb' && user && { authentication_database: auth_database ?? 'admin' }),
    ...(password !== undefined && {
      password: password ?? `{credential file ${secretFile(`${kind}.${source}`)}}`,
    }),
    ...(run_as && {
      pg_dump_command: as('pg_dump'),
      pg_restore_command: as('pg_restore'),
      psql_command: as('psql'),
    }),
  };
  return { option, entries: (names.length > 0 ? names : ['all']).map((name) => ({ name, ...rest })) };
}
