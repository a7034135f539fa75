import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, backUp, expectRefusal, passphrase } from '../actions.js';
import { Borg } from '../oracles/borg.js';
import { endedRestore, snapshot } from '../restore.js';
import { startWithArchive, type WithArchive } from '../restore-fixture.js';

let server: WithArchive['server'];
let api: WithArchive['api'];
let user: WithArchive['user'];
let database: WithArchive['database'];
let source: WithArchive['source'];
let repository: WithArchive['repository'];
let archive: WithArchive['archive'];
let freshFolder: WithArchive['freshFolder'];
let body: WithArchive['body'];

beforeAll(async () => {
  ({ server, api, user, database, source, repository, archive, freshFolder, body } =
    await startWithArchive());
});
afterAll(() => server?.remove());

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
