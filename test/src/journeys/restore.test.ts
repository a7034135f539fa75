import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, backUp, createRepository, expectRefusal, passphrase } from '../actions.js';
import { Borg } from '../oracles/borg.js';
import { endedRestore, snapshot } from '../restore.js';
import { startWithArchive, type WithArchive } from '../restore-fixture.js';
import { remarkable, sparseSize } from '../trees.js';

let server: WithArchive['server'];
let api: WithArchive['api'];
let database: WithArchive['database'];
let source: WithArchive['source'];
let sshDirectory: WithArchive['sshDirectory'];
let repository: WithArchive['repository'];
let archive: WithArchive['archive'];
let freshFolder: WithArchive['freshFolder'];
let body: WithArchive['body'];

beforeAll(async () => {
  ({ server, api, database, source, sshDirectory, repository, archive, freshFolder, body } =
    await startWithArchive());
});
afterAll(() => server?.remove());

const restore = async (fields: object) =>
  endedRestore(api, await api.post('/api/restore/start', body(fields)));
const manifestOf = async (id: number) => (await api.get(`/api/restore/manifest/${id}`)).body.entries;

test('restores every kind of entry like borg, unchanged', async () => {
  const destination = freshFolder();
  const job = await restore({ destination });
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const byHand = freshFolder();
  const borg = new Borg(repository.path, server.workspace.folder('borg-by-hand'), { passphrase });
  await borg.extract(archive, byHand);
  const restored = snapshot(join(destination, archived(source)));
  expect(restored).toEqual(snapshot(join(byHand, archived(source))));
  expect(restored).toEqual(snapshot(source));
  expect(restored.length).toBeGreaterThan(20);
  const disk = statSync(join(destination, archived(source), remarkable.sparse));
  expect(disk.blocks * 512).toBeLessThan(sparseSize / 4);
  expect(readdirSync(destination).filter((name) => name.startsWith('.'))).toEqual([]);
  const names = (await manifestOf(job.id)).map(({ path }: { path: string }) => path);
  expect(names).toContain(join(destination, archived(source), remarkable.notUtf8));
  const events = await database.all<{ kind: string; data: string }>(
    "SELECT kind, data FROM event WHERE kind LIKE 'restore_%' AND job_id = ?",
    job.id,
  );
  expect(events.map(({ kind }) => kind)).toEqual(['restore_success']);
  expect(JSON.parse(events[0]?.data ?? '{}')).toMatchObject({
    archive_name: archive,
    target_path: destination,
    job_id: job.id,
    repository_name: 'home',
  });
});

test('restores selected paths, stripped, with undecodable names and a hard link', async () => {
  const destination = join(freshFolder(), 'made', 'by the restore');
  const base = archived(source);
  const names = [remarkable.notUtf8, remarkable.secondName, 'closed'];
  const job = await restore({
    destination,
    paths: names.map((name) => `${base}/${name}`),
    strip_components: base.split('/').length,
  });
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(readdirSync(destination, { encoding: 'latin1' }).toSorted()).toEqual(
    ['bad\xffname.bin', 'closed', remarkable.secondName].toSorted(),
  );
  expect(readFileSync(join(destination, remarkable.secondName))).toEqual(
    readFileSync(join(source, remarkable.firstName)),
  );
});

test('overwrites nothing unless requested, and keeps other files in directories', async () => {
  const destination = freshFolder();
  const at = join(destination, archived(source));
  mkdirSync(join(at, 'closed'), { recursive: true });
  writeFileSync(join(at, 'closed', 'inner'), 'mine');
  writeFileSync(join(at, 'closed', 'other'), 'mine too');
  const before = snapshot(destination);
  const refused = await restore({ destination });
  expect(refused.status).toBe('failed');
  expect(refused.error_message).toMatch(/inner already exists/);
  expect(snapshot(destination)).toEqual(before);
  const events = await database.all<{ kind: string }>(
    "SELECT kind FROM event WHERE kind LIKE 'restore_%' AND job_id = ?",
    refused.id,
  );
  expect(events.map(({ kind }) => kind)).toEqual(['restore_failure']);

  const skipped = await restore({ destination, skip_existing: true });
  expect([skipped.status, skipped.kept]).toEqual(['completed', 1]);
  expect(readFileSync(join(at, 'closed', 'inner'), 'utf8')).toBe('mine');
  expect(readFileSync(join(at, remarkable.deep)).length).toBe(100);

  const overwritten = await restore({ destination, overwrite: true });
  expect(overwritten.status).toBe('completed');
  expect(overwritten.replaced).toBeGreaterThan(5);
  expect(readFileSync(join(at, 'closed', 'inner'), 'utf8')).toBe('inner');
  expect(readFileSync(join(at, 'closed', 'other'), 'utf8')).toBe('mine too');
  const entries = await manifestOf(overwritten.id);
  expect(entries).toContainEqual(
    expect.objectContaining({ path: join(at, 'closed', 'inner'), result: 'replaced' }),
  );
});

test('never follows a symlink at the destination or replaces it by a directory', async () => {
  const destination = freshFolder();
  const elsewhere = freshFolder();
  const at = join(destination, archived(source));
  mkdirSync(join(at, '..'), { recursive: true });
  symlinkSync(elsewhere, at);
  const job = await restore({ destination, overwrite: true });
  expect([job.status, job.error_message]).toEqual(['failed', expect.stringMatching(/symlink is in the way/)]);
  expect(readdirSync(elsewhere)).toEqual([]);
  const link = join(freshFolder(), 'link');
  symlinkSync(elsewhere, link);
  expectRefusal(await api.post('/api/restore/start', body({ destination: link })), 400, /symlink/);
});

test('restores deleted files in place', async () => {
  const place = server.workspace.folder('in-place');
  writeFileSync(join(place, 'letter'), 'dear');
  const own = await createRepository(api, {
    name: 'own',
    path: join(server.workspace.path, 'own'),
    source_directories: [place],
  });
  const made = await backUp(api, own.path);
  const before = snapshot(place);
  unlinkSync(join(place, 'letter'));
  const started = await api.post('/api/restore/start', {
    repository_id: own.id,
    archive: made.archive_name,
    destination: '/',
    paths: [archived(place)],
  });
  expect((await endedRestore(api, started)).error_message).toBeNull();
  expect(snapshot(place)).toEqual(before);
});

test('never overwrites files of Holdfast by any request', async () => {
  const reserved = [
    [server.dataDirectory, /data folder/],
    [join(server.dataDirectory, 'x'), /data folder/],
    [join(sshDirectory, 'x'), /SSH folder/],
    [repository.path, /inside repository home/],
    [join(repository.path, 'data'), /inside repository home/],
    [server.workspace.path, /contains /],
    ['/tmp', /contains /],
  ] as const;
  for (const [destination, why] of reserved) {
    for (const verb of ['plan', 'start']) {
      const fields = body({ destination, overwrite: true });
      expectRefusal(await api.post(`/api/restore/${verb}`, fields), 400, why);
    }
  }
  // In place, each path counts.
  const key = join(server.dataDirectory, 'secret_key');
  const own = await createRepository(api, {
    name: 'service',
    path: join(server.workspace.path, 'service'),
    source_directories: [key],
  });
  const made = await backUp(api, own.path);
  const before = statSync(key).ino;
  const asked = { repository_id: own.id, archive: made.archive_name, destination: '/', overwrite: true };
  const plan = await api.post('/api/restore/plan', asked);
  expect(plan.body).toMatchObject({
    can_start: false,
    obstacles: [expect.stringMatching(/in the data folder/)],
    obstacle_codes: [{ code: 'restore_paths_blocked', params: { path: key } }],
  });
  expectRefusal(await api.post('/api/restore/start', { plan_id: plan.body.plan_id }), 409, /data folder/);
  const job = await endedRestore(api, await api.post('/api/restore/start', asked));
  expect([job.status, job.error_message]).toEqual(['failed', expect.stringMatching(/in the data folder/)]);
  expect(job).toMatchObject({ error_code: 'restore_paths_blocked', error_params: { path: key } });
  expect(statSync(key).ino).toBe(before);
});
