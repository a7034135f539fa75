import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteArchive, endedJob, expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { MemoryRepository } from '../memory-repository.js';
import { TestServer } from '../server.js';

const day = 86_400_000;
const reason = 'before the move';
let server: TestServer;
let api: Api;
let tool: MemoryRepository;
let source: string;
let repository: number;

const pin = (archive: string, more: object = {}) =>
  api.post(`/api/archives/${archive}/pin`, { repository_id: repository, reason, ...more });
const unpin = (archive: string) => api.delete(`/api/archives/${archive}/pin`, { repository_id: repository });
const listed = async (of = api): Promise<{ id: string; name: string; pinned: object | null }[]> =>
  (await of.get('/api/archives/list', { repository: tool.repository })).body.archives;
const prune = async (input: object) => {
  const given = { keep_daily: 0, keep_weekly: 0, keep_monthly: 0, keep_yearly: 0, ...input };
  return (await api.post(`/api/repositories/${repository}/prune`, given)).body;
};
const imported = () => ({ name: 'home', path: tool.repository, source_directories: [source] });

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory', env: { ARCHIVE_SIZES_PER_MINUTE: '60' } });
  api = await server.login();
  source = server.workspace.folder('source');
  writeFileSync(join(source, 'file'), 'content');
  tool = new MemoryRepository(join(server.workspace.path, 'repository'));
  await tool.init();
  for (let ago = 8; ago > 0; ago--)
    await tool.create(`day-${ago}`, Date.now() - ago * day, { source, comment: `no. ${ago}` });
  const answer = await api.post('/api/repositories/import', imported());
  expect(answer.status, answer.text).toBe(201);
  repository = answer.body.repository.id;
});
afterAll(() => server?.remove());

test('keeps a pinned archive besides those of the rules, as the preview shows', async () => {
  const made = await pin('day-7');
  expect(made.status, made.text).toBe(200);
  const pinned = { reason, until: null, by: 'admin', since: expect.any(String) };
  expect(made.body).toMatchObject({ archive: 'day-7', pinned });
  expect((await listed()).find(({ name }) => name === 'day-7')).toMatchObject({ pinned });
  const info = await api.get('/api/archives/day-7/info', { repository_id: repository });
  expect(info.body.info).toMatchObject({ pinned });

  const rules = { prune_keep_daily: 6, prune_keep_weekly: 0, prune_keep_monthly: 0, prune_keep_yearly: 0 };
  const preview = await api.post('/api/schedule/preview', { repository_id: repository, ...rules });
  expect(preview.body.archives.slice(-2)).toMatchObject([
    { name: 'day-7', rule: `pinned: ${reason}` },
    { name: 'day-8', rule: 'removed' },
  ]);
  expect((await prune({ keep_daily: 6, dry_run: true })).archives.at(-2)).toMatchObject({
    name: 'day-7',
    rule: `pinned: ${reason}`,
  });
  expect(await prune({ keep_daily: 6 })).toMatchObject({ success: true });
  expect((await tool.list()).map(({ name }) => name)).toEqual([
    'day-7',
    'day-6',
    'day-5',
    'day-4',
    'day-3',
    'day-2',
    'day-1',
  ]);
});

test('keeps an adopted archive from the prune of a scheduled run', async () => {
  const made = await api.post('/api/schedule/', {
    name: 'nightly',
    cron_expression: null,
    repository_ids: [repository],
    prune_keep_daily: 4,
    prune_keep_weekly: 0,
    prune_keep_monthly: 0,
    prune_keep_yearly: 0,
    run_prune_after: true,
  });
  const schedule = made.body.job.id;
  const adopted = await api.post(`/api/schedule/${schedule}/adopt`, {
    repository_id: repository,
    pattern: '*',
  });
  expect(adopted.body.archives.at(-1)).toMatchObject({ name: 'day-7', rule: `pinned: ${reason}` });
  const run = await api.post(`/api/schedule/${schedule}/run-now`);
  for (const id of run.body.job_ids) expect((await endedJob(api, id)).status).toBe('completed');
  await expect
    .poll(async () => (await tool.list()).map(({ name }) => name).slice(0, 3), { timeout: 60_000 })
    .toEqual(['day-7', 'day-3', 'day-2']);
  await api.delete(`/api/schedule/${schedule}`);
});

test('refuses to delete a pinned archive, and names the reason', async () => {
  const refused = await api.delete('/api/archives/day-7', { repository_id: repository });
  expectRefusal(refused, 409, /day-7 is pinned \(before the move\)/);
  const repair = { confirm_name: 'home', delete_archives: ['day-7'] };
  expectRefusal(await api.post(`/api/repositories/${repository}/repair`, repair), 409, /is pinned/);
  expectRefusal(await unpin('day-3'), 404);
  expectRefusal(await pin('day-7', { until: '2020-01-01T00:00:00Z' }), 409, /pinned for longer/);
  expectRefusal(await pin('day-3', { until: '2020-01-01T00:00:00Z' }), 400, /in the past/);
  expectRefusal(await pin('day-3', { reason: 'two\nlines' }), 400);
  expectRefusal(await pin('day-3', { reason: ' ' }), 400);
});

test('fails a deletion whose archive was pinned while it waited', async () => {
  tool.hold('check');
  await api.post(`/api/repositories/${repository}/check`, {});
  await tool.reached('check');
  const queued = await api.delete('/api/archives/day-2', { repository_id: repository });
  expect((await pin('day-2', { reason: 'wait' })).status).toBe(200);
  tool.release('check');
  const look = async () => (await api.get(`/api/archives/delete-jobs/${queued.body.job_id}`)).body;
  await expect.poll(async () => (await look()).completed_at, { timeout: 60_000 }).not.toBeNull();
  expect(await look()).toMatchObject({ status: 'failed', error_code: 'archive_pinned' });
  expect((await unpin('day-2')).status).toBe(200);
});

test('follows an archive that the tool renames', async () => {
  const [before] = await tool.list();
  tool.rename('day-7', 'renamed');
  const [after] = await tool.list();
  expect([after?.name, after?.id === before?.id]).toEqual(['renamed', false]);
  await refreshed();
  expect((await listed())[0]).toMatchObject({ name: 'renamed', id: after?.id, pinned: { reason } });
  expect((await prune({ keep_daily: 1, confirm_more_than_half: true })).success).toBe(true);
  expect((await tool.list()).map(({ name }) => name)).toContain('renamed');
});

/** A prune lists the archives first. */
const refreshed = () => prune({ keep_daily: 1, dry_run: true });

test('holds when the repository is removed and imported again', async () => {
  expect((await api.delete(`/api/repositories/${repository}`)).status).toBe(200);
  const again = await api.post('/api/repositories/import', imported());
  repository = again.body.repository.id;
  expect((await listed())[0]).toMatchObject({ name: 'renamed', pinned: { reason } });
});

test('moves with the settings file, and is on the recovery sheet', async () => {
  const { document } = (await api.get('/api/settings/export')).body;
  expect(document.pins).toMatchObject([{ reason, until: null, by: 'admin' }]);
  const other = await TestServer.start({ driver: 'memory' });
  try {
    const to = await other.login();
    const answer = await to.post('/api/settings/import', { document });
    expect(answer.body.objects).toContainEqual(
      expect.objectContaining({ section: 'pins', action: 'create' }),
    );
    expect((await listed(to))[0]).toMatchObject({ name: 'renamed', pinned: { reason, by: 'admin' } });
    const again = await to.post('/api/settings/import', { document });
    expect(again.body.counts).toMatchObject({ create: 0, change: 0 });
  } finally {
    await other.remove();
  }
  const sheet = await api.get('/api/recovery-sheet', { format: 'text' });
  expect(sheet.text).toContain(`renamed: ${reason}`);
});

test('ends at its time', async () => {
  const [kept] = (await tool.list()).slice(-1);
  const name = kept?.name ?? '';
  const until = new Date(Date.now() + 2_000).toISOString();
  const made = await pin(name, { until });
  expect(made.body.pinned).toMatchObject({ until });
  await expect.poll(async () => (await listed()).at(-1)?.pinned, { timeout: 60_000 }).toBeNull();
  expect((await deleteArchive(api, tool.repository, name)).status).toBe('completed');
});

test('has no effect when something else deletes the archive', async () => {
  const [held] = await tool.list();
  await tool.delete(['renamed']);
  await refreshed();
  expect(await listed()).not.toContainEqual(expect.objectContaining({ name: 'renamed' }));
  await tool.create('renamed', Date.now() - 30 * day, { source });
  await refreshed();
  expect((await listed())[0]).toMatchObject({ name: 'renamed', pinned: null });
  expect((await deleteArchive(api, tool.repository, 'renamed')).status).toBe('completed');
  expect((await unpin(held?.id ?? '')).body).toMatchObject({ archive_id: held?.id, pinned: null });
  expectRefusal(await unpin(held?.id ?? ''), 404);
});

test('is recorded in the audit trail', async () => {
  const { body } = await api.get('/api/audit', { limit: 200 });
  const actions = body.entries.map((entry: { action: string }) => entry.action);
  expect(actions).toEqual(expect.arrayContaining(['archivesPin', 'archivesUnpin']));
});
