import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, createRepository, endedJob, expectRefusal, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { Browser } from '../browser.js';
import { adminPassword, TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let home: Repository;
let schedule: number;
let source: string;

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory', env: { INDEX_MAX_MB: '100' } });
  api = await server.login();
  source = server.workspace.folder('source');
  fill('letters', 700, 'txt');
  fill('photos', 500, 'jpg');
  const path = join(server.workspace.path, 'home');
  home = await createRepository(api, { name: 'home', path, source_directories: [source] });
  const plan = { name: 'nightly', cron_expression: '0 0 1 1 *', repository_id: home.id };
  const keeping = { prune_keep_daily: 1, prune_keep_weekly: 0, prune_keep_monthly: 0, prune_keep_yearly: 0 };
  const made = await api.post('/api/schedule/', { ...plan, ...keeping, run_prune_after: true });
  expect(made.text, made.text).toContain('nightly');
  schedule = made.body.job.id;
});
afterAll(() => server?.remove());

function fill(folder: string, count: number, extension: string, first = 0): void {
  mkdirSync(join(source, folder), { recursive: true });
  for (let n = first; n < first + count; n++)
    writeFileSync(join(source, folder, `file-${n}.${extension}`), `content ${n}`);
}

/** As ransomware does: other content of about the same size, and a new extension. */
function encrypt(): void {
  for (const folder of readdirSync(source))
    for (const name of readdirSync(join(source, folder))) {
      const path = join(source, folder, name);
      writeFileSync(`${path}.locked`, randomBytes(statSync(path).size));
      rmSync(path);
    }
}

async function runNow() {
  const { body } = await api.post(`/api/schedule/${schedule}/run-now`);
  const job = await endedJob(api, body.job_id);
  await waitFor(
    async () => (await api.get('/api/jobs', { status: 'pending,running' })).body.jobs.length === 0,
    {
      what: 'the end of the prune',
      timeoutMs: 180_000,
    },
  );
  return job;
}
const names = async () => (await archivesOf(api, home.path)).map(({ name }) => name);
const repository = async () => (await api.get(`/api/repositories/${home.id}`)).body.repository;
const openIncidents = async () =>
  (await api.get('/api/incidents', { open: 'true', repository_id: home.id })).body.incidents.map(
    ({ cause }: { cause: string }) => cause,
  );
const accept = (by: Api) => by.post(`/api/repositories/${home.id}/accept-changes`);

test('lets many new files pass, and prunes as planned', async () => {
  expect((await runNow()).status).toBe('completed');
  fill('photos', 600, 'jpg', 500);
  const job = await runNow();
  expect(job).toMatchObject({ status: 'completed', error_message: null });
  expect(await names()).toEqual([job.archive_name]);
  expect((await repository()).mass_change).toBeNull();
});

test('warns and prunes nothing when all files are encrypted', async () => {
  const [good] = await names();
  encrypt();
  const job = await runNow();
  expect(job).toMatchObject({
    status: 'completed_with_warnings',
    error_code: 'backup_mass_change',
    error_params: { files_before: 1_800, changed: 0, removed: 1_800, archive: good },
    maintenance_status: 'prune_skipped',
  });
  expect(job.error_message).toMatch(/source\/photos \(file-\d+\.jpg, file-\d+\.jpg\)/);
  expect((await repository()).mass_change).toMatchObject({
    job_id: job.id,
    ...{ archive: { name: job.archive_name }, before: { name: good } },
    ...{ files_before: 1_800, changed: 0, removed: 1_800, renamed: 1_800 },
    folders: [
      { path: expect.stringMatching(/source\/photos$/), removed: 1_100 },
      { path: expect.stringMatching(/source\/letters$/), removed: 700 },
    ],
  });
  expect(await names()).toEqual([good, job.archive_name]);

  // A good backup does not resume it: the encrypted archive is now the one before.
  fill('letters', 1, 'txt');
  const later = await runNow();
  expect(later).toMatchObject({ status: 'completed', maintenance_status: 'prune_skipped' });
  expect(await names()).toEqual([good, job.archive_name, later.archive_name]);
});

test('opens one incident, and manual prunes mention the pause', async () => {
  await waitFor(async () => (await openIncidents()).length > 0, { what: 'the incident', timeoutMs: 90_000 });
  expect(await openIncidents()).toEqual(['mass_change']);
  const { attention } = (await api.get('/api/overview')).body;
  expect(attention).toContainEqual(
    expect.objectContaining({ cause: 'mass_change', code: 'incident_mass_change' }),
  );
  const shown = (await api.get(`/api/schedule/${schedule}`)).body.job;
  expect(shown.retention_paused).toMatchObject([
    { repository_id: home.id, reason_code: 'archive_mass_change' },
  ]);
  const before = await names();
  const prune = await api.post(`/api/repositories/${home.id}/prune`, { keep_daily: 7, keep_within: '1w' });
  expect(prune.body.message).toMatch(/accept-changes/);
  expect(await names()).toEqual(before);
});

test('prunes again once an administrator accepts the changes', async () => {
  const { page } = await Browser.signIn(server.api);
  expectRefusal(await accept(page), 403, /POST \/api\/auth\/confirm/);
  expect((await repository()).mass_change).not.toBeNull();
  await page.post('/api/auth/confirm', { password: adminPassword });
  const accepted = await accept(page);
  expect([accepted.status, accepted.body.message]).toEqual([200, expect.stringMatching(/accepted/)]);
  expect((await repository()).mass_change).toBeNull();
  expect((await accept(api)).body.message).toMatch(/no changes to accept/);
  await waitFor(async () => (await openIncidents()).length === 0, { what: 'its end', timeoutMs: 90_000 });
  const job = await runNow();
  expect(job.status).toBe('completed');
  expect(await names()).toEqual([job.archive_name]);
});

test('is off for a repository with a limit of 0', async () => {
  const changed = await api.put(`/api/repositories/${home.id}`, { mass_change_percent: 0 });
  expect(changed.body.repository).toMatchObject({ mass_change_percent: 0, mass_change_files: 1000 });
  rmSync(join(source, 'photos'), { recursive: true });
  fill('letters', 700, 'txt');
  encrypt();
  expect((await runNow()).status).toBe('completed');
  for (const wrong of [{ mass_change_percent: 101 }, { mass_change_files: 0 }, { mass_change_files: '9' }])
    expectRefusal(await api.put(`/api/repositories/${home.id}`, wrong), 400, /mass_change/);
});
