import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FormData } from 'undici';
import {
  backUp,
  createRepository,
  endedJob,
  isTerminal,
  type Repository,
  runningJob,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { endedMaintenance } from '../maintenance.js';
import { endedRestore } from '../restore.js';
import { backUpItself, passphraseOf } from '../self-backup.js';
import { makeEndlessFiles, makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { expectStatus } from './drive-accounts.js';
import { driveMovingIn } from './drive-moving-in.js';
import { driveSources } from './drive-sources.js';
import type { LeakWorld } from './leak-world.js';

const never = '0 0 1 1 *';

/** Repositories, backups, schedules, scripts, restores and maintenance, with what goes wrong in each. */
export async function driveBackups(world: LeakWorld, api: Api): Promise<void> {
  const source = world.server.workspace.folder('source');
  makeFiles(source, 20);
  const keyed = await driveKeyFile(world, api, source);
  await driveScripts(world, api, keyed);
  await driveSourceSets(api, source);
  const archives = [await archiveOf(api, keyed), await archiveOf(api, keyed)];
  await browse(api, keyed, archives);
  await Promise.all([restore(world, api, { keyed, archive: archives[0] ?? '' }), fail(world, api)]);
  await maintain(api, keyed, archives[0] ?? '');
  await driveSources(world, api);
  await driveSelfBackup(world, api);
  await printSheets(world, api);
}

/** What opens all of it, in the open, sealed and on the command line. */
async function printSheets(world: LeakWorld, api: Api): Promise<void> {
  const sheet = '/api/recovery-sheet';
  for (const format of ['text', 'pdf', 'json'])
    expectStatus(await api.get(sheet, { format, secrets: true }), 200);
  const seal_passphrase = world.book.plant('the passphrase of the seal');
  expectStatus(await api.post(sheet, { format: 'text', secrets: true, seal_passphrase }), 200);
  expectStatus(await api.post(sheet, { seal_passphrase, format: 'none' }), 400);
  const { repositories } = expectStatus(await api.get('/api/repositories/'), 200).body;
  expectStatus(await api.post(`${sheet}/saved`, { repository_id: repositories[0].id }), 200);
  await world.command(['recovery-sheet', '--format', 'text', '--with-secrets', '--output', 'sheet.txt']);
  rmSync(join(world.server.workspace.path, 'sheet.txt'));
}

/** The service saves itself, with its keys. */
async function driveSelfBackup({ server, book }: LeakWorld, api: Api): Promise<void> {
  const path = join(server.workspace.path, 'own');
  expectStatus(await api.put('/api/system/self-backup', { enabled: true, path }), 200);
  expectStatus(await api.get('/api/system/self-backup'), 200);
  book.keep('the passphrase of the self-backup', await passphraseOf(server), 'passphrase');
  await backUpItself(api);
}

async function driveSourceSets(api: Api, source: string): Promise<void> {
  const set = { name: 'shared', source_directories: [source] };
  expectStatus(await api.get('/api/filesystem/disks'), 200);
  expectStatus(await api.post('/api/preflight', { source_directories: [source] }), 200);
  const created = expectStatus(await api.post('/api/source-sets', set), 201);
  const path = `/api/source-sets/${created.body.source_set.id}`;
  expectStatus(await api.put(path, { exclude_patterns: ['*.tmp'] }), 200);
  expectStatus(await api.delete(path), 200);
}

async function archiveOf(api: Api, { path }: Repository): Promise<string> {
  return (await backUp(api, path)).archive_name ?? '';
}

/** A repository whose key lies beside it; the key is exported, taken away and given back. */
async function driveKeyFile(world: LeakWorld, api: Api, source: string): Promise<Repository> {
  const { book, server } = world;
  const path = join(server.workspace.path, 'keyed');
  const passphrase = book.plant('the passphrase of a repository', 'passphrase');
  const facts = { name: 'keyed', path, passphrase, source_directories: [source] };
  const options = { headers: { 'idempotency-key': 'one-repository' } };
  const input = { ...facts, encryption: 'keyfile' };
  const created = expectStatus(await api.post('/api/repositories/', input, options), 201);
  expectStatus(await api.post('/api/repositories/', input, options), 201);
  const { id } = created.body.repository;
  const key = expectStatus(await api.get(`/api/repositories/${id}/keyfile`), 200).text;
  book.keep('the key of a repository', key, 'repository_key');
  await backUp(api, path);
  expectStatus(await api.delete(`/api/repositories/${id}`), 200);
  await driveMovingIn(world, api, { folder: server.workspace.path, path, passphrase, key });
  const wrong = { passphrase: book.plant('a wrong passphrase'), keyfile_content: key };
  expectStatus(await api.post('/api/repositories/import', { ...facts, ...wrong }), 400, 409);
  expectStatus(await api.post('/api/repositories/import', facts), 400, 409);
  const half = { keyfile_content: key.slice(0, -40) };
  expectStatus(await api.post('/api/repositories/import', { ...facts, ...half }), 400, 409);
  const whole = await api.post('/api/repositories/import', { ...facts, keyfile_content: key });
  const { repository } = expectStatus(whole, 201).body;
  const form = new FormData();
  form.set('keyfile', new Blob([key]), 'key.txt');
  expectStatus(await api.request('POST', `/api/repositories/${repository.id}/keyfile`, { body: form }), 200);
  expectStatus(await api.put(`/api/repositories/${repository.id}`, { passphrase }), 200, 400);
  const of = `/api/repositories/${repository.id}`;
  const another = { passphrase: book.plant('another passphrase that opens nothing') };
  expectStatus(await api.put(`${of}/passphrase`, another), 400, 409);
  expectStatus(await api.put(`${of}/passphrase`, { passphrase }), 200);
  expectStatus(await api.post(`${of}/test`), 200);
  const next = book.plant('a new passphrase of a repository', 'passphrase');
  for (const each of [next, passphrase]) {
    const changing = expectStatus(await api.post(`${of}/change-passphrase`, { passphrase: each }), 200);
    const look = async () => isTerminal((await api.get(`/api/jobs/${changing.body.job_id}`)).body.job);
    await waitFor(look, { what: 'the change of a passphrase', timeoutMs: 120_000 });
  }
  const accepted = await api.post(`${of}/accept-identity`, { confirm_name: 'keyed', ...another });
  expectStatus(accepted, 400, 409);
  return repository as Repository;
}

/** Scripts that are told a secret and say it aloud, in both encodings that a shell has at hand. */
async function driveScripts({ book }: LeakWorld, api: Api, { id }: Repository): Promise<void> {
  const attached = book.plant('what an attached script is told', 'parameter');
  const scheduled = book.plant('what the script of a schedule is told', 'parameter');
  const tried = book.plant('what a script is told when it is tried', 'parameter');
  const content = `echo "it is \${A_TOKEN}"; echo "\${A_TOKEN}" >&2; sleep 0.05`;
  const aloud = { name: 'telling', content };
  const script = expectStatus(await api.post('/api/scripts', aloud), 201).body.id;
  const told = (value: string) => ({ parameter_values: { A_TOKEN: value } });
  expectStatus(await api.post(`/api/scripts/${script}/test`, told(tried)), 200);
  const place = `/api/repositories/${id}/scripts`;
  const input = { script_id: script, hook_type: 'pre-backup', ...told(attached) };
  const attachment = expectStatus(await api.post(place, input), 201).body.id;
  expectStatus(await api.put(`${place}/${attachment}`, { execution_order: 3 }), 200);
  const schedule = expectStatus(
    await api.post('/api/schedule/', {
      name: 'yearly',
      cron_expression: never,
      repository_ids: [id],
      run_repository_scripts: true,
      pre_backup_script_id: script,
      pre_backup_script_parameters: { A_TOKEN: scheduled },
    }),
    201,
  ).body.job.id;
  const of = `/api/schedule/${schedule}`;
  const run = expectStatus(await api.post(`${of}/run-now`), 200);
  for (const job of run.body.job_ids) await endedJob(api, job);
  expectStatus(await api.put(of, { description: 'once a year' }), 200);
  const copy = expectStatus(await api.post(`${of}/duplicate`), 200, 201);
  expectStatus(await api.post(`${of}/toggle`), 200);
  expectStatus(await api.post('/api/schedule/preview', { repository_id: id, schedule_id: schedule }), 200);
  const choice = { repository_id: id, pattern: '*' };
  expectStatus(await api.post(`${of}/adopt`, { ...choice, dry_run: true }), 200, 409);
  expectStatus(await api.request('DELETE', `${of}/adopt`, { json: { repository_id: id } }), 200);
  expectStatus(await api.post(`${of}/resume-retention`), 200);
  expectStatus(await api.post(`/api/repositories/${id}/accept-changes`), 200);
  expectStatus(await api.delete(`/api/schedule/${copy.body.job?.id ?? schedule + 1}`), 200);
  expectStatus(await api.get('/api/schedule/pause'), 200);
  expectStatus(await api.put('/api/schedule/pause', { pause_until: null }), 200);
  expectStatus(await api.post('/api/schedule/validate-cron', { cron_expression: never }), 200);
  for (const first of ['#!/bin/sh', 'true']) {
    expectStatus(await api.post('/api/scripts/test', { script: `${first}\nsleep 0.1; exit 3` }), 200);
  }
  expectStatus(await api.put(`/api/scripts/${script}`, { timeout: 20 }), 200);
  expectStatus(await api.delete(`/api/scripts/${script}`), 409);
  const spare = expectStatus(await api.post(place, { ...input, hook_type: 'post-backup' }), 201).body.id;
  expectStatus(await api.delete(`${place}/${spare}`), 204);
  expectStatus(await api.post('/api/scripts/cleanup-orphans'), 200);
}

async function browse(api: Api, { id }: Repository, archives: string[]): Promise<void> {
  const [first = '', second = ''] = archives;
  const of = `/api/archives/${encodeURIComponent(first)}`;
  const repository_id = id;
  expectStatus(await api.get(`${of}/contents`, { repository_id }), 200);
  const reason = 'before the move';
  expectStatus(await api.post(`${of}/pin`, { repository_id, reason }), 200);
  expectStatus(await api.delete(`${of}/pin`, { repository_id }), 200);
  expectStatus(await api.get(`${of}/diff`, { repository_id, with: second }), 200);
  expectStatus(await api.get(`${of}/lost-files`, { repository_id }), 200);
  expectStatus(await api.get('/api/archives/search', { repository_id, query: 'file' }), 200);
  const { body } = expectStatus(await api.get(`${of}/search`, { repository_id, query: 'file-000001' }), 200);
  const path = body.items?.[0]?.path ?? '';
  expectStatus(await api.get('/api/archives/history', { repository_id, path: path || 'x' }), 200);
  await browseByName(api, id, { archive: second, path: path || 'x' });
  const query = new URLSearchParams({ repository_id: `${id}`, archive: first, file_path: path });
  const url = `/api/archives/download?${query}`;
  const ticket = expectStatus(await api.post('/api/download-tickets', { url }), 201);
  const bare = api.as(null);
  expectStatus(await bare.get(ticket.body.url), 200);
  expectStatus(await bare.get(ticket.body.url), 401);
  expectStatus(await bare.get(`${url}&token=${api.token}`), 200);
  expectStatus(await bare.get(`/api/nothing?token=${api.token}&ticket=${ticket.body.ticket}`), 404);
}

/** The same below the repository. */
async function browseByName(api: Api, id: number, { archive, path }: { archive: string; path: string }) {
  const of = `/api/repositories/${id}`;
  const one = `${of}/archives/${encodeURIComponent(archive)}`;
  for (const name of [`${of}/archives`, `${of}/archives/heatmap`, one, `${one}/changes`])
    expectStatus(await api.get(name), 200);
  expectStatus(await api.get(`${of}/search`, { q: 'file' }), 200);
  expectStatus(await api.get(`${of}/index`), 200);
  await api.get(`${of}/growth-by-folder`);
  expectStatus(await api.get(`${of}/history`, { path }), 200);
  expectStatus(await api.get('/api/history/runs', { day: new Date().toISOString().slice(0, 10) }), 200);
}

async function restore(
  { server }: LeakWorld,
  api: Api,
  { keyed, archive }: { keyed: Repository; archive: string },
): Promise<void> {
  const order = { repository_id: keyed.id, archive, destination: server.workspace.folder('restored') };
  expectStatus(await api.post('/api/restore/plan', order), 200);
  await endedRestore(api, await api.post('/api/restore/start', order));
  // All files are in the way.
  const again = await api.post('/api/restore/start', order);
  await endedRestore(api, again);
  expectStatus(await api.post(`/api/restore/cancel/${again.body.job_id}`), 200, 400, 409);
}

/** Backups without their source, with a hook that fails, and one that is cancelled. */
async function fail({ book, server }: LeakWorld, api: Api): Promise<void> {
  const passphrase = book.plant('the passphrase of another repository', 'passphrase');
  const make = (name: string, more: object) =>
    createRepository(api, { name, path: join(server.workspace.path, name), passphrase, ...more });
  const source_directories = [server.workspace.folder('source'), '/no/such/folder'];
  const missing = await make('missing', { source_directories });
  await backUp(api, missing.path);
  const endless = server.workspace.folder('endless');
  makeEndlessFiles(endless);
  const slow = await make('slow', { source_directories: [endless] });
  const job = await startBackup(api, slow.path);
  await runningJob(api, job);
  expectStatus(await api.post(`/api/backup/cancel/${job}`), 200);
  await endedJob(api, job);
  // What is left is read to its end.
  rmSync(endless, { recursive: true });
  const hook = { pre_backup_script: 'env; set; cat /proc/self/environ; exit 4' };
  expectStatus(await api.put(`/api/repositories/${missing.id}`, hook), 200);
  await backUp(api, missing.path);
  expectStatus(await api.delete(`/api/repositories/${slow.id}`), 200);
}

async function maintain(api: Api, { id, name }: Repository, archive: string): Promise<void> {
  const of = `/api/repositories/${id}`;
  const end = async (kind: 'check' | 'compact' | 'prune', input: object = {}) => {
    const started = await api.post(`${of}/${kind}`, input);
    await endedMaintenance(api, kind, started);
    await api.post(`/api/repositories/${kind}-jobs/${started.body.job_id}/cancel`);
  };
  await end('check');
  await end('prune', { keep_daily: 1, keep_weekly: 0, keep_monthly: 0, keep_yearly: 0, dry_run: true });
  const query = { repository_id: id };
  const deleted = expectStatus(await api.delete(`/api/archives/${encodeURIComponent(archive)}`, query), 200);
  await api.post(`/api/archives/delete-jobs/${deleted.body.job_id}/cancel`);
  await api.post(`/api/jobs/${deleted.body.job_id}/cancel`);
  await end('compact');
  const repair = expectStatus(await api.post(`${of}/repair`, { confirm_name: name }), 200);
  await endedMaintenance(api, 'check', repair);
  await endedMaintenance(api, 'check', await api.post(`${of}/sign-archives`));
  expectStatus(await api.put(`${of}/check-schedule`, { cron_expression: never }), 200);
  expectStatus(await api.put(`${of}/drill-schedule`, { cron_expression: never }), 200);
  const { job_id } = expectStatus(await api.post(`${of}/drill`), 200).body;
  const drilled = async () => isTerminal((await api.get(`/api/jobs/${job_id}`)).body.job);
  await waitFor(drilled, { what: `the end of drill job ${job_id}`, timeoutMs: 60_000 });
  const { drills } = expectStatus(await api.get('/api/drills'), 200).body;
  expectStatus(await api.get(`/api/drills/${drills[0].id}`), 200);
  expectStatus(await api.get('/api/drills/export'), 200);
  expectStatus(await api.post(`${of}/break-lock`), 200);
  expectStatus(await api.post('/api/cache/clear-repository', { repo_id: id }), 200);
}
