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
import {
  archived,
  backUp,
  createRepository,
  expectRefusal,
  passphrase,
  type Repository,
} from '../actions.js';
import type { Api } from '../api.js';
import { Borg } from '../oracles/borg.js';
import { addAttributes, endedRestore, snapshot } from '../restore.js';
import { TestServer } from '../server.js';
import type { Database } from '../store/database.js';
import { makeRemarkable, remarkable, sparseSize } from '../trees.js';
import { makeWorkspace } from '../workspace.js';

let server: TestServer;
let api: Api;
let user: Api;
let sshDirectory: string;
let repository: Repository;
let source: string;
let archive: string;
let database: Database;
let count = 0;

const freshFolder = () => server.workspace.folder(`target-${++count}`);
const body = (fields: object) => ({ repository: repository.path, archive, ...fields });
const restore = async (fields: object) =>
  endedRestore(api, await api.post('/api/restore/start', body(fields)));
const manifestOf = async (id: number) => (await api.get(`/api/restore/manifest/${id}`)).body.entries;

beforeAll(async () => {
  const workspace = makeWorkspace();
  sshDirectory = workspace.folder('ssh');
  server = await TestServer.start({ workspace, env: { SSH_DIR: sshDirectory } });
  api = await server.login();
  await api.post('/api/auth/users', { username: 'mallory', password: 'a password of a user' });
  user = await server.login('mallory', 'a password of a user');
  database = await server.database();
  source = server.workspace.folder('source');
  makeRemarkable(source);
  addAttributes(source);
  repository = await createRepository(api, {
    name: 'home',
    path: join(server.workspace.path, 'home'),
    source_directories: [source],
  });
  const job = await backUp(api, repository.path);
  expect(job.status).toBe('completed');
  archive = job.archive_name ?? '';
});
afterAll(() => server?.remove());

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

test('shows everything in a plan, valid once for its user and destination', async () => {
  const destination = freshFolder();
  const at = join(destination, archived(source));
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'pipe'), 'in the way');
  const asked = body({ destination });
  const plan = await api.post('/api/restore/plan', asked);
  expect(plan.text).toContain('plan_id');
  expect(plan.body).toMatchObject({ can_start: false, collisions: { count: 1 }, archive });
  expect(plan.body.collisions.examples[0].path).toBe(join(at, 'pipe'));
  expect(plan.body.links_leaving.examples).toContainEqual({
    path: `${archived(source)}/absolute-link`,
    target: '/etc/hostname',
  });
  expect(plan.body.free_bytes).toBeGreaterThan(plan.body.bytes);
  expect(readdirSync(at)).toEqual(['pipe']);

  const second = await api.post('/api/restore/plan', { ...asked, overwrite: true });
  expect(second.body.obstacles).toEqual([]);
  writeFileSync(join(at, 'new'), '');
  const start = (plan_id: string) => api.post('/api/restore/start', { plan_id });
  expectRefusal(await start(second.body.plan_id), 409, /has changed since the plan/);

  const third = await api.post('/api/restore/plan', { ...asked, overwrite: true });
  expectRefusal(
    await api.post('/api/restore/start', { ...asked, plan_id: third.body.plan_id }),
    409,
    /does not match/,
  );
  await api.post('/api/auth/users', { username: 'eve', password: 'a password of eve', is_admin: true });
  const eve = await server.login('eve', 'a password of eve');
  expectRefusal(await eve.post('/api/restore/start', { plan_id: third.body.plan_id }), 409, /another user/);
  const late = 'UPDATE restore_plan SET expires_at = ? WHERE key = ? RETURNING expires_at';
  const [{ expires_at } = { expires_at: 0 }] = await database.all<{ expires_at: number }>(
    'SELECT expires_at FROM restore_plan WHERE key = ?',
    third.body.plan_id,
  );
  await database.all(late, Date.now() - 1, third.body.plan_id);
  expectRefusal(await start(third.body.plan_id), 409, /has expired/);
  await database.all(late, expires_at, third.body.plan_id);
  const job = await endedRestore(api, await start(third.body.plan_id));
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expectRefusal(await start(third.body.plan_id), 409, /already used/);
  expectRefusal(await start('00000000-0000-4000-8000-000000000000'), 404);
});

test('answers 409 if the archive was deleted after the plan', async () => {
  const destination = freshFolder();
  const made = await backUp(api, repository.path);
  const fields = { repository: repository.path, archive: made.archive_name, destination };
  const plan = await api.post('/api/restore/plan', fields);
  const borg = new Borg(repository.path, server.workspace.folder('borg-by-hand'), { passphrase });
  await borg.delete([made.archive_name ?? '']);
  await api.get('/api/archives/list', { repository: repository.path });
  const answer = await api.post('/api/restore/start', { plan_id: plan.body.plan_id });
  // An archive list of the last minute is believed: then the job finds out.
  if (answer.status === 200) {
    const job = await endedRestore(api, answer);
    expect([job.status, job.error_message]).toEqual([
      'failed',
      expect.stringMatching(/(not|no longer) in the repository/),
    ]);
  } else expectRefusal(answer, 409, /new plan/);
  expect(readdirSync(destination)).toEqual([]);
});

test('refuses bad input and other users', async () => {
  const destination = freshFolder();
  const file = join(destination, 'file');
  writeFileSync(file, '');
  const post = (fields: object) => api.post('/api/restore/start', body(fields));
  for (const bad of [
    'relative',
    '-rf',
    `${destination}/../x`,
    `${destination}//x`,
    'a\nb',
    file,
    `${file}/x`,
  ]) {
    expectRefusal(await post({ destination: bad }), 400);
  }
  for (const bad of ['../etc', 'a//b', 'a/./b'])
    expectRefusal(await post({ destination, paths: [bad] }), 400);
  expectRefusal(await post({ destination, overwrite: true, skip_existing: true }), 400);
  expectRefusal(await post({ destination, archive: 'nothing' }), 404);
  expectRefusal(await api.post('/api/restore/plan', body({ destination, paths: ['-none'] })), 404);
  expectRefusal(await api.post('/api/restore/start', {}), 400);
  for (const path of ['plan', 'start', 'cancel/1']) {
    expectRefusal(await user.post(`/api/restore/${path}`, body({ destination })), 403);
  }
  expect((await user.get('/api/restore/jobs')).body.jobs.length).toBeGreaterThan(0);
  expectRefusal(await user.get('/api/restore/status/99999'), 404);
});

test('counts the same in plan and job, even without parent folders', async () => {
  const chosen = archived(source);
  for (const order of [{}, { paths: [chosen] }, { paths: [chosen], layout: 'selection' }]) {
    const destination = freshFolder();
    const plan = await api.post('/api/restore/plan', body({ ...order, destination }));
    const { files, directories, links, others } = plan.body;
    const job = await endedRestore(api, await api.post('/api/restore/start', { plan_id: plan.body.plan_id }));
    expect(job.by_type).toEqual({ files, directories, links, others });
    expect(job.restored).toBeGreaterThanOrEqual(files + directories + links + others);
    const at = 'layout' in order ? 'source' : chosen;
    expect(snapshot(join(destination, at))).toEqual(snapshot(source));
  }
  const twice = { paths: [chosen], layout: 'selection', strip_components: 1, destination: freshFolder() };
  expectRefusal(await api.post('/api/restore/plan', body(twice)), 400, /layout/);
  const inPlace = { paths: [chosen], layout: 'selection', destination: '/' };
  expectRefusal(await api.post('/api/restore/plan', body(inPlace)), 400, /in-place/);
});
