import type { Candidate, CommandHost, FoundSource, SourceSettings } from '@holdfast/plugin-api/source';
import { type Container, inspect, isOwn, type Mount, running } from './containers.js';
import type { Engine } from './engine.js';
import type { Recipe } from './recipes.js';

const projects = ['com.docker.compose.project', 'io.podman.compose.project'];
const mostContainers = 200;

/** Not the sockets and system folders that some containers get. */
export const isData = (path: string) =>
  !/^\/$|^\/(?:proc|sys|dev|run|var\/run|etc|usr|bin|lib\w*)(?:\/|$)|\.sock$/.test(path);

const dataOf = ({ mounts }: Container) => mounts.filter((mount) => mount.isWritable && isData(mount.source));

/** Applications by their recipes with what belongs to them, then database servers, then other containers with data. */
export async function find(
  engine: Engine,
  host: CommandHost,
  recipes: readonly Recipe[],
): Promise<Candidate[]> {
  const containers: Container[] = [];
  for (const name of (await running(engine)).slice(0, mostContainers)) {
    const container = await inspect(engine, name);
    if (container && !(host.isLocal && isOwn(container))) containers.push(container);
  }
  const servers = containers.flatMap((container) => databaseIn(container) ?? []);
  const taken = new Set<string>();
  const found: Candidate[] = [];
  for (const app of containers) {
    const recipe = recipes.find(({ images }) => images.includes(imageOf(app)));
    if (!recipe) continue;
    const own = servers.filter(
      ({ container, source }) => recipe.databases.includes(source.kind) && isRelated(app, container),
    );
    for (const { name } of [app, ...own.map(({ container }) => container)]) taken.add(name);
    const databases = own.map(({ source }) => source);
    const parts = await partsOf(app, recipe, { databases, host });
    if (parts) found.push(parts);
  }
  const rest = servers.filter(({ container }) => !taken.has(container.name));
  for (const { container, source } of rest) {
    taken.add(container.name);
    found.push({ ...source, detail: `Database in container ${container.name}.` });
  }
  const others = containers.filter((one) => !taken.has(one.name) && dataOf(one).length > 0);
  return [...found, ...others.map((one) => wholeOf(one, { stop: one.name }))];
}

/** `ghcr.io/immich-app/immich-server:v1` is `immich-app/immich-server`. */
export const imageOf = ({ image }: Pick<Container, 'image'>) =>
  image
    .replace(/@.*$/, '')
    .replace(/:[^/]*$/, '')
    .replace(/^(?:[^/]*[.:][^/]*|localhost)\//, '')
    .replace(/^library\//, '');

/** Of one project, or named in its variables. */
function isRelated(app: Container, server: Container): boolean {
  const same = projects.some((label) => app.labels[label] && app.labels[label] === server.labels[label]);
  const names = [server.name, server.labels['com.docker.compose.service']].filter(Boolean);
  const isNamed = Object.values(app.environment).some((value) =>
    value.split(/[^\w.-]+/).some((word) => names.includes(word)),
  );
  return same || isNamed;
}

async function partsOf(
  app: Container,
  recipe: Recipe,
  { databases, host }: { databases: readonly FoundSource[]; host: CommandHost },
): Promise<Candidate | null> {
  const { name } = app;
  const volumes = dataOf(app).filter(
    ({ path }) => recipe.volumes === undefined || recipe.volumes.some((wanted) => isWithin(path, wanted)),
  );
  const files = await existing(
    host,
    recipe.sqlite.flatMap((path) => hostPath(volumes, path) ?? []),
  );
  const dumps: FoundSource[] = [
    ...databases,
    ...(files.length > 0
      ? [{ kind: 'sqlite', name, settings: { files: files.map(literal).join('\n') } }]
      : []),
  ];
  if (volumes.length + dumps.length === 0) return null;
  const stops = recipe.stop === 'dump' && dumps.length > 0;
  const settings = {
    volumes: volumes.map(({ path }) => `${name}:${path}`).join('\n'),
    exclude: volumes
      .flatMap(({ path }) => recipe.exclude.map((each) => `${name}:${path}/${each}`))
      .join('\n'),
    ...(recipe.stop === 'backup' && { stop: name }),
  };
  return {
    ...wholeOf(app, settings),
    detail: sentenceOf(recipe, { volumes, dumps }),
    // Released as soon as the dumps are made.
    with: [...(stops ? [{ name: `${name}-stopped`, settings: { stop: name } }] : []), ...dumps],
  };
}

const wholeOf = ({ name }: Container, settings: SourceSettings): Candidate => ({
  name,
  settings: { volumes: name, ...settings },
  detail: settings.stop ? 'Stopped during each backup.' : 'Not stopped.',
});

const stopWords = {
  never: 'Not stopped.',
  dump: 'Stopped while its databases are dumped.',
  backup: 'Stopped during each backup.',
};

function sentenceOf(
  { name, stop, databases }: Recipe,
  { volumes, dumps }: { volumes: readonly Mount[]; dumps: readonly FoundSource[] },
): string {
  const paths = volumes.map(({ path }) => path).join(', ');
  const missing = databases.length > 0 && dumps.length === 0;
  return [
    `${name}.`,
    stopWords[stop],
    volumes.length > 0 ? `Volumes: ${paths}.` : 'No volumes.',
    missing ? 'Its database was not found: add it.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

function hostPath(mounts: readonly Mount[], path: string): string | null {
  const [mount] = mounts
    .filter((each) => isWithin(path, each.path))
    .toSorted((a, b) => b.path.length - a.path.length);
  return mount ? mount.source + path.slice(mount.path.length) : null;
}

async function existing(host: CommandHost, files: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const file of files) if ((await host.run({ argv: ['test', '-f', file] })).code === 0) found.push(file);
  return found;
}

/** Patterns of the source for SQLite. */
const literal = (file: string) => file.replaceAll(/[[*?]/g, '[$&]');

const images = {
  mongodb: /(?:^|[/-])mongo(?:db)?(?:-(?:community|enterprise)-server)?$/,
  postgresql: /(?:^|[/-])(?:postgres(?:ql)?|postgis|pgvector|pgvecto-rs|timescaledb(?:-ha)?|vectorchord)$/,
  mysql: /(?:^|[/-])(?:mariadb|mysql|percona(?:-server)?)$/,
};

/** A database server, with how its programs sign in. */
function databaseIn(
  container: Container,
): { container: Container; source: FoundSource & { kind: string } } | null {
  const { name, environment } = container;
  const image = imageOf(container);
  /** The first of these variables that is set, or the file that one names. */
  const from = (...names: string[]): SourceSettings => {
    for (const each of names) {
      const file = environment[`${each}_FILE`];
      if (file || environment[each] !== undefined) return { password_from: file || each };
    }
    return {};
  };
  const at = { name, container: name };
  if (images.postgresql.test(image)) {
    const user = environment.POSTGRES_USER ?? environment.POSTGRESQL_USERNAME;
    const settings = { ...(user && { user }), ...from('POSTGRES_PASSWORD', 'POSTGRESQL_PASSWORD') };
    return { container, source: { ...at, kind: 'postgresql', settings } };
  }
  if (images.mongodb.test(image)) {
    const [user] = [
      'MONGO_INITDB_ROOT_USERNAME',
      'MONGODB_INITDB_ROOT_USERNAME',
      'MONGODB_ROOT_USER',
    ].flatMap((each) => environment[each] ?? []);
    const password = from(
      'MONGO_INITDB_ROOT_PASSWORD',
      'MONGODB_INITDB_ROOT_PASSWORD',
      'MONGODB_ROOT_PASSWORD',
    );
    return {
      container,
      source: { ...at, kind: 'mongodb', settings: { ...(user && { user }), ...password } },
    };
  }
  if (!images.mysql.test(image)) return null;
  const ofRoot = from('MARIADB_ROOT_PASSWORD', 'MYSQL_ROOT_PASSWORD');
  const user = environment.MARIADB_USER ?? environment.MYSQL_USER;
  const settings = ofRoot.password_from
    ? ofRoot
    : { ...(user && { user }), ...from('MARIADB_PASSWORD', 'MYSQL_PASSWORD') };
  return { container, source: { ...at, kind: 'mysql', settings } };
}
