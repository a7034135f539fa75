/** Applications that are found by their recipes, protected in one pass, destroyed and restored. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PodmanEngine } from '../../../scripts/services/podman.mjs';
import { archivesOf, backUp, contentsOf, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { databaseInContainer } from '../database-in-container.js';
import { endedRestore } from '../restore.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

interface Found {
  kind: string;
  name: string;
  container: string | null;
  settings: Record<string, string>;
  detail: string | null;
  with: Omit<Found, 'detail' | 'with'>[];
}

let engine: PodmanEngine;
let server: TestServer;
let api: Api;

const app = 'mkdir -p /data/thumbs; trap "exit 0" TERM; sleep 1000 & wait';
const startImmich = () =>
  engine.container('immich', {
    image: 'ghcr.io/immich-app/immich-server:release',
    options: ['-v', 'photos:/data', '-e', 'DB_HOSTNAME=immich-database'],
    command: ['sh', '-c', app],
  });
const startDatabase = () =>
  engine.container('immich-database', {
    image: 'ghcr.io/immich-app/postgres:14-vectorchord',
    options: ['-v', 'immich-database:/data', '-e', 'PGHOST=/tmp', '-e', 'POSTGRES_PASSWORD=sesame'],
    command: ['sh', '-c', databaseInContainer],
  });
const startVaultwarden = () =>
  engine.container('vaultwarden', {
    image: 'vaultwarden/server:latest',
    options: ['-v', 'vault:/data'],
    command: ['sh', '-c', app],
  });
const sql = (text: string) =>
  engine.podman('exec', 'immich-database', 'psql', '-XAtqU', 'postgres', '-c', text);
const mountOf = (volume: string) => engine.podman('volume', 'inspect', '--format', '{{.Mountpoint}}', volume);
const isUp = () => {
  try {
    return sql('SELECT 1') === '1';
  } catch {
    return false;
  }
};

beforeAll(async () => {
  engine = await PodmanEngine.start();
  startDatabase();
  startImmich();
  startVaultwarden();
  await waitFor(isUp, { what: 'the database in the container' });
  sql(`CREATE TABLE assets (name text); INSERT INTO assets VALUES ('ann.jpg')`);
  engine.podman('exec', 'immich', 'sh', '-c', 'echo Ann >/data/ann.jpg; echo small >/data/thumbs/ann.jpg');
  execFileSync('sqlite3', [
    `${mountOf('vault')}/db.sqlite3`,
    `CREATE TABLE keys AS SELECT 'secret' AS value`,
  ]);
  server = await TestServer.start({ env: { PLUGIN_SOURCE_CONTAINER_SOCKET: engine.socket } });
  api = await server.login();
});
afterAll(async () => {
  await server?.remove();
  await engine?.remove();
});

async function findAll(): Promise<Found[]> {
  const { body, text } = await api.post('/api/sources/find', {});
  expect(text).not.toContain('sesame');
  return body.candidates.filter(({ kind }: Found) => kind === 'container');
}

async function restored(path: string, input: object) {
  const { status, error_message } = await endedRestore(api, await api.post(path, input));
  expect([status, error_message]).toEqual(['completed', null]);
}

/** As the console adds a candidate. */
const sourcesOf = ({ with: others, detail: _, ...own }: Found) => [...others, own];

test('finds applications by their recipes, with their databases', async () => {
  const [immich, vaultwarden, ...others] = await findAll();
  expect(others).toEqual([]);
  expect(immich).toEqual({
    kind: 'container',
    name: 'immich',
    container: null,
    settings: { volumes: 'immich:/data', exclude: 'immich:/data/thumbs\nimmich:/data/encoded-video' },
    detail: 'Immich. Stopped while its databases are dumped. Volumes: /data.',
    with: [
      { kind: 'container', name: 'immich-stopped', container: null, settings: { stop: 'immich' } },
      {
        kind: 'postgresql',
        name: 'immich-database',
        container: 'immich-database',
        settings: { password_from: 'POSTGRES_PASSWORD' },
      },
    ],
  });
  expect(vaultwarden?.with).toEqual([
    {
      kind: 'sqlite',
      name: 'vaultwarden',
      container: null,
      settings: { files: `${mountOf('vault')}/db.sqlite3` },
    },
  ]);
});

test('protects applications, and restores them when they are destroyed', async () => {
  const path = server.workspace.folder('repositories', 'applications');
  const sources = (await findAll()).flatMap(sourcesOf);
  await createRepository(api, { name: 'applications', path, sources });
  const job = await backUp(api, path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const [archive] = await archivesOf(api, path);
  expect(archive?.sources).toEqual(sources.map(({ kind, name }) => ({ kind, name })));
  const [photos, vault] = [mountOf('photos'), mountOf('vault')];
  const name = archive?.name ?? '';
  const within = async (folder: string) =>
    (await contentsOf(api, { repository: path, archive: name, path: folder.slice(1) })).map(
      (item) => item.name,
    );
  expect(await within(photos)).toEqual(['ann.jpg']);
  expect(await within(vault)).toEqual(['thumbs']);

  engine.podman('rm', '--force', '--time=0', 'immich', 'immich-database', 'vaultwarden');
  engine.podman('volume', 'rm', 'photos', 'immich-database', 'vault');
  startDatabase();
  startImmich();
  startVaultwarden();
  await waitFor(isUp, { what: 'the database in the container' });
  const files = {
    repository: path,
    archive: name,
    paths: [photos.slice(1)],
    destination: '/',
    overwrite: true,
  };
  await restored('/api/restore/start', files);
  const dump = (source: string, file: string, into: string) => ({
    repository: path,
    archive: name,
    path: `holdfast-sources/${source}/${file}`,
    into,
  });
  const whole = dump('postgresql/immich-database', 'postgres.dump', 'immich');
  await restored('/api/restore/dump', whole);
  const file = `${vault}/db.sqlite3`;
  const keys = dump('sqlite/vaultwarden', encodeURIComponent(file), file);
  await restored('/api/restore/dump', keys);

  expect(engine.podman('exec', 'immich', 'cat', '/data/ann.jpg')).toBe('Ann');
  expect(
    engine.podman('exec', 'immich-database', 'psql', '-XAtqU', 'postgres', 'immich', '-c', 'TABLE assets'),
  ).toBe('ann.jpg');
  expect(execFileSync('sqlite3', [file, 'SELECT value FROM keys'], { encoding: 'utf8' }).trim()).toBe(
    'secret',
  );
});
