import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { endedMaintenance } from '../maintenance.js';
import {
  common,
  makeObstacles,
  makeOldRepositories,
  type OldRepository,
  originals,
} from '../old-repositories.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

/*
 * Somebody moves in with thirty repositories of all kinds of encryption: they are found, opened, registered, taken over
 * and pruned, and nothing else happens to them than what borg itself would have done.
 */
const count = 30;

let server: TestServer;
let api: Api;
let old: string;
let source: string;
let stores: OldRepository[];
let broken: string[];

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  old = server.workspace.folder('old');
  source = server.workspace.folder('source');
  writeFileSync(join(source, 'file'), 'content');
  stores = await makeOldRepositories(old, { count, source, aside: server.workspace.folder('aside') });
  broken = makeObstacles(old, stores[0] as OldRepository);
}, 120_000);
afterAll(() => server?.remove());

const jobOf = async (id: number, as = api) => (await as.get(`/api/jobs/${id}`)).body.job;
const ended = (id: number, as = api) =>
  waitFor(
    async () => {
      const job = await jobOf(id, as);
      return job.completed_at !== null && job;
    },
    { what: `the end of job ${id}`, timeoutMs: 60_000 },
  );

async function discovered(input: object, as = api) {
  const answer = await as.post('/api/repositories/discover', input);
  expect(answer.status, answer.text).toBe(200);
  const job = await ended(answer.body.job_id, as);
  const { body } = await as.get(`/api/repositories/discover/${job.id}`, { limit: 1000 });
  return { job, ...body };
}
const pathsOf = (found: { path: string }[]) => found.map(({ path }) => path).toSorted();

let discovery: number;

test('finds each repository once and names the broken ones', async () => {
  const found = await discovered({ path: `${old}/` });
  expect(found.job).toMatchObject({ kind: 'discovery', status: 'completed', repository_id: null });
  expect(found.job.about.found_count).toBe(count + broken.length);
  expect(found).toMatchObject({ total: count + broken.length, truncated: false, next_after: null });
  expect(found.folders).toBeGreaterThan(10_000);
  expect(pathsOf(found.found)).toEqual(pathsOf([...stores, ...broken.map((path) => ({ path }))]));
  const reasons = found.found.flatMap(
    ({ broken: why }: { broken: { code: string } | null }) => why?.code ?? [],
  );
  expect(reasons.toSorted()).toEqual([
    ...['found_config_damaged', 'found_other_version', 'found_without_config', 'found_without_data'],
  ]);
  const [first] = found.found.filter(({ path }: { path: string }) => path === stores[0]?.path);
  expect(first).toMatchObject({ key_in_repository: true, already_registered: null, opened: null });
  expect(first.repository_id).toMatch(/^[0-9a-f]{64}$/);
  const listed = await api.get('/api/jobs', { kind: 'discovery' });
  expect(listed.body.jobs).toMatchObject([{ id: found.job.id, kind: 'discovery' }]);
  discovery = found.job.id;
});

test('is limited in depth and reports unreadable folders', async () => {
  expect((await discovered({ path: old, depth: 1 })).total).toBe(0);
  const gone = await discovered({ path: join(old, 'nowhere') });
  expect(gone).toMatchObject({ status: 'failed', error_code: 'discovery_root_unreadable', total: 0 });
  expectRefusal(await api.post('/api/repositories/discover', { path: 'relative' }), 400, /absolute/);
  expectRefusal(await api.post('/api/repositories/discover', {}), 400, /path/);
});

test('counts the folders that the service cannot read', async () => {
  const modest = await TestServer.start({ unprivileged: true });
  chmodSync(modest.workspace.folder('closed'), 0);
  const { unreadable, total } = await discovered({ path: modest.workspace.path }, await modest.login());
  await modest.remove();
  expect({ unreadable, total }).toEqual({ unreadable: 1, total: 0 });
});

test('looks through the whole machine until it is cancelled', async () => {
  const { body } = await api.post('/api/repositories/discover', { path: '/', depth: 50 });
  await waitFor(async () => (await jobOf(body.job_id)).progress_details.nfiles > 0, { what: 'progress' });
  await api.post(`/api/jobs/${body.job_id}/cancel`);
  const job = await ended(body.job_id);
  expect(['cancelled', 'completed', 'completed_with_warnings']).toContain(job.status);
});

test('opens with one passphrase for many and then with single ones', async () => {
  const open = (input: object) => api.post(`/api/repositories/discover/${discovery}/open`, input);
  const results = new Map<
    string,
    { opened: { archive_count: number } | null; open_error: { code: string } }
  >();
  let after: number | null = null;
  while (results.size < 2 * originals) {
    const { status, body, text } = await open({ passphrase: common, after, limit: originals });
    expect(status, text).toBe(200);
    for (const each of body.found) results.set(each.path, each);
    after = body.next_after as number;
    expect(after).toEqual(expect.any(Number));
  }
  for (const { path, encryption, passphrase, keyfile } of stores.filter((each) => results.has(each.path))) {
    const result = results.get(path);
    if (keyfile !== null) expect(result?.open_error.code).toBe('repository_key_file_needed');
    else if (passphrase !== null && passphrase !== common)
      expect(result?.open_error.code).toBe('repository_passphrase_wrong');
    else expect(result?.opened).toMatchObject({ encryption, archive_count: 4 });
  }
  const left = stores.filter(({ path }) => results.get(path)?.opened === null);
  expect(left.length).toBeGreaterThan(0);
  const passphrases = left.map(({ path, passphrase, keyfile }) => ({
    path,
    passphrase,
    keyfile_content: keyfile,
  }));
  const { body } = await open({ passphrases });
  expect(body).toMatchObject({ opened_count: left.length, next_after: null });
  expect(server.log).not.toContain(common);
});

const rows = () =>
  stores.map(({ path, passphrase, keyfile }) => ({
    path,
    keyfile_content: keyfile,
    ...(passphrase === common ? {} : { passphrase }),
  }));
let ids: number[];
const movedIn = async () => (await api.get('/api/overview')).body.moved_in;

test('registers all with separate results, and changes nothing the second time', async () => {
  const input = { repositories: [...rows(), { path: broken[0] }], passphrase: common };
  const { body, text, status } = await api.post('/api/repositories/import-many', input);
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ created_count: count, unchanged_count: 0, failed_count: 1 });
  expect(body.repositories.at(-1)).toMatchObject({ result: 'failed', code: 'place_without_repository' });
  const all = (await api.get('/api/repositories/')).body.repositories;
  expect(all).toHaveLength(count);
  for (const { mode, archive_count } of all) expect([mode, archive_count]).toEqual(['observe', 4]);
  expect(all.map(({ encryption }: { encryption: string }) => encryption).toSorted()).toEqual(
    stores.map(({ encryption }) => encryption).toSorted(),
  );
  expect(await movedIn()).toEqual({ total: count, observed: count, first_backup: null });
  const again = (await api.post('/api/repositories/import-many', input)).body;
  expect(again).toMatchObject({ created_count: 0, unchanged_count: count, failed_count: 1 });
  expect((await api.get('/api/repositories/')).body.repositories).toEqual(all);
  ids = body.repositories
    .slice(0, count)
    .map(({ repository_id }: { repository_id: number }) => repository_id);
  const { found } = (await api.get(`/api/repositories/discover/${discovery}`)).body;
  const known = found.filter(({ broken: why }: { broken: unknown }) => why === null);
  for (const { already_registered } of known) expect(ids).toContain(already_registered);
});

test('suggests sources and a rhythm from the archives', async () => {
  const { body } = await api.get(`/api/repositories/${ids[1]}/suggestions`, { timezone: 'Europe/Berlin' });
  expect(body.series).toMatchObject([
    {
      prefix: 'nas-',
      pattern: 'nas-*',
      archive_count: 4,
      source_directories: [source],
      exclude_patterns: [],
      sources_confidence: 'high',
      remarks: [],
      rhythm: { timezone: 'Europe/Berlin', description: expect.stringMatching(/^about every day at /) },
    },
  ]);
});

const keep = { prune_keep_daily: 2, prune_keep_weekly: 0, prune_keep_monthly: 1, prune_keep_yearly: 0 };
const keepFlags = ['--keep-daily=2', '--keep-monthly=1'];

test('takes them over only with the old scheduler off, and prunes like borg', async () => {
  const input = (n: number) => ({
    old_scheduler_off: true,
    old_archives: 'adopt',
    source_directories: [source],
    schedule: { name: `nightly-${n}`, cron_expression: '0 2 1 1 *', ...keep },
  });
  const path = (n: number) => `/api/repositories/${ids[n]}/take-over`;
  const running = { ...input(0), old_scheduler_off: false };
  expectRefusal(await api.post(path(0), running), 409, /Turn off the program that has made the archives/);
  expectRefusal(await api.post(path(0), { ...input(0), pattern: 'no such*' }), 404);
  const untouched = (await api.get(`/api/repositories/${ids[0]}`)).body.repository;
  expect(untouched).toMatchObject({ mode: 'observe', source_directories: [] });
  expect((await api.get('/api/schedule/')).body.jobs).toEqual([]);

  const plans = await Promise.all(stores.slice(0, originals).map(({ borg }) => borg.prunePlan(...keepFlags)));
  const prune = async (n: number) => {
    const { passphrase, path: place } = stores[n] as OldRepository;
    const taken = await api.post(path(n), input(n));
    expect(taken.status, taken.text).toBe(200);
    const plan = plans[n % originals]?.filter(({ rule }) => rule !== null) ?? [];
    expect(taken.body).toMatchObject({ adopted_count: 4, removed_next: 4 - plan.length });
    expect(taken.body.repository).toMatchObject({ mode: 'full', source_directories: [source] });
    const rules = { keep_daily: 2, keep_weekly: 0, keep_monthly: 1, keep_yearly: 0, keep_quarterly: 0 };
    const of = { ...rules, schedule_id: taken.body.schedule_id, confirm_more_than_half: true };
    const started = await api.post(`/api/repositories/${ids[n]}/prune`, of);
    const done = await endedMaintenance(api, 'prune', started);
    expect(done).toMatchObject({ status: 'completed', removed_count: 4 - plan.length });
    const left = (await api.get('/api/archives/list', { repository_id: ids[n] as number })).body.archives;
    const names = (all: { name: string }[]) => all.map(({ name }) => name).toSorted();
    expect(names(left)).toEqual(names(plan));
    if (n % 10 !== 0) return;
    const base = server.workspace.folder(`look-${n}`);
    const borg = new Borg(place, base, passphrase === null ? {} : { passphrase });
    expect(names(await borg.list())).toEqual(names(plan));
  };
  await prune(0);
  const taken = { ...input(1), schedule: input(0).schedule };
  expectRefusal(await api.post(path(1), taken), 409, /Another schedule has this name/);
  const waiting = stores.map((_, n) => n).slice(1, originals);
  const worker = async () => {
    for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) await prune(n);
  };
  await Promise.all([worker(), worker(), worker()]);
  // Who wrote to a copy as well would destroy both.
  for (let n = originals; n < count; n++) {
    const copy = { ...input(n), schedule: { ...input(n).schedule, name: `copy-${n}` } };
    expectRefusal(await api.post(path(n), copy), 409, /has the same id/);
  }
  const came = await movedIn();
  expect(came).toEqual({
    total: count,
    observed: count - originals,
    first_backup: expect.stringMatching(/-01-01T02:00/),
  });
  expect((await api.post('/api/backup/start', { repository: ids[0] })).status).toBe(200);
  await waitFor(async () => (await movedIn()).total === count - 1, { what: 'the first backup' });
}, 600_000);

test('reports an interrupted import correctly and completes it on repetition', async () => {
  const more = server.workspace.folder('more');
  const [whole] = stores as [OldRepository];
  for (let n = 0; n < 8; n++) cpSync(whole.borg.repository, join(more, `late-${n}`), { recursive: true });
  for (let n = 0; n < 200; n++) mkdirSync(join(more, `x-${n}`));
  const looking = (await api.post('/api/repositories/discover', { path: '/', depth: 50 })).body.job_id;
  await waitFor(async () => (await jobOf(looking)).progress_details.nfiles > 0, { what: 'progress' });
  const input = {
    repositories: Array.from({ length: 8 }, (_, n) => ({ path: join(more, `late-${n}`) })),
    passphrase: common,
  };
  const importing = api.post('/api/repositories/import-many', input).catch(() => null);
  const known = async () => (await api.get('/api/repositories/')).body.repositories.length;
  await waitFor(async () => (await known()) > count, { what: 'the first of them', intervalMs: 20 });
  await server.stop('SIGKILL');
  await importing;
  await server.launch();
  api = await server.login();
  const job = await ended(looking);
  expect([job.status, job.error_code]).toEqual(['failed', 'discovery_interrupted']);
  const before = (await known()) - count;
  expect(before).toBeGreaterThan(0);
  const { body } = await api.post('/api/repositories/import-many', input);
  expect(body).toMatchObject({ created_count: 8 - before, unchanged_count: before, failed_count: 0 });
  expect(await known()).toBe(count + 8);
});
