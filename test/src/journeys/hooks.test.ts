import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archivesOf,
  backUp,
  createRepository,
  endedJob,
  type Job,
  type Repository,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { allProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let folder: string;
let source: string;
let count = 0;
let shared: Repository | undefined;

beforeAll(async () => {
  server = await TestServer.start({
    env: { SECRET_KEY: 'a secret key that no hook may see', SHUTDOWN_GRACE_SECONDS: '1' },
  });
  api = await server.login();
  folder = server.workspace.folder('hooks');
  source = server.workspace.folder('source');
  makeFiles(source, 3);
});
afterAll(() => server?.remove());

const lines = (name: string): string[] => {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

async function newRepository(settings: object = {}): Promise<Repository> {
  count += 1;
  const name = `hooks ${count}`;
  const path = server.workspace.folder('repositories', `${count}`);
  return createRepository(api, { name, path, encryption: 'none', source_directories: [source], ...settings });
}

/** The one that most tests use, with these settings and no others. */
async function repositoryWith(settings: object = {}): Promise<Repository> {
  shared ??= await newRepository();
  const of = `/api/repositories/${shared.id}`;
  const { body } = await api.get(`${of}/scripts`);
  for (const { id } of [...body.pre_backup, ...body.post_backup]) {
    expect((await api.delete(`${of}/scripts/${id}`)).status).toBeLessThan(300);
  }
  const none = { pre_backup_script: null, post_backup_script: null, pre_hook_timeout: 300 };
  const plain = { ...none, continue_on_hook_failure: false, source_directories: [source] };
  expect((await api.put(of, { ...plain, ...settings })).status).toBe(200);
  return shared;
}

async function addScript(content: string, more: object = {}): Promise<number> {
  count += 1;
  const answer = await api.post('/api/scripts', { name: `script ${count}`, content, ...more });
  expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('"content"')]);
  return answer.body.id as number;
}

async function attach(repository: Repository, script: number, more: object = {}): Promise<number> {
  const body = { script_id: script, hook_type: 'pre-backup', ...more };
  const answer = await api.post(`/api/repositories/${repository.id}/scripts`, body);
  expect([answer.status, answer.body.success]).toEqual([201, true]);
  return answer.body.id as number;
}

/** The log of a job whatever its status is. */
async function logOf({ id }: Job): Promise<string> {
  const answer = await api.get(`/api/backup/logs/${id}/stream`);
  expect(answer.status).toBe(200);
  return answer.body.lines.map((line: { content: string }) => line.content).join('\n');
}

test('hooks know the backup that they are about, and nothing of the service', async () => {
  const print = `env | grep -v '^_=' >> ${folder}/environment`;
  const repository = await repositoryWith({ pre_backup_script: print, post_backup_script: print });
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const told = lines('environment').filter((line) => line.startsWith('BK_UI_'));
  const both = [`ID=${repository.id}`, `NAME=${repository.name}`, `PATH=${repository.path}`];
  expect(new Set(told)).toEqual(
    new Set([
      ...both.map((each) => `BK_UI_REPOSITORY_${each}`),
      ...[`BK_UI_JOB_ID=${job.id}`, 'BK_UI_BACKUP_STATUS=success'],
      ...['BK_UI_HOOK_TYPE=pre-backup', 'BK_UI_HOOK_TYPE=post-backup'],
    ]),
  );
  expect(lines('environment').join('\n')).not.toMatch(/secret key|INITIAL_ADMIN|DATA_DIR|SECRET_KEY/);
});

test('runs attached scripts in order by their conditions instead of the inline one', async () => {
  const repository = await repositoryWith({ post_backup_script: `echo own >> ${folder}/order` });
  const say = (word: string) => `echo ${word} >> ${folder}/order`;
  await attach(repository, await addScript(say('second')), { execution_order: 2 });
  await attach(repository, await addScript(say('first')), { execution_order: 1.5 });
  await attach(repository, await addScript(say('off')), { enabled: false });
  const post = { hook_type: 'post-backup' };
  await attach(repository, await addScript(say('on failure'), { run_on: 'failure' }), post);
  const overruled = { ...post, custom_run_on: 'success', execution_order: 3 };
  await attach(repository, await addScript(say('on success'), { run_on: 'failure' }), overruled);
  expect((await backUp(api, repository.path)).status).toBe('completed');
  expect(lines('order')).toEqual(['first', 'second', 'on success']);
});

test('prevents the backup if a pre-backup hook fails, and runs the post-backup hook', async () => {
  const repository = await newRepository({
    pre_backup_script: 'echo "the database is gone" >&2; exit 7',
    post_backup_script: `echo "$BK_UI_BACKUP_STATUS" >> ${folder}/refused`,
  });
  const job = await backUp(api, repository.path);
  expect(job.status).toBe('failed');
  expect(job.error_message).toMatch(/No backup was made\. .* failed with exit code 7/);
  expect(job).toMatchObject({
    error_code: 'backup_refused_by_hook',
    error_params: { reason_code: 'hook_exited' },
  });
  expect(await logOf(job)).toContain('the database is gone');
  expect(lines('refused')).toEqual(['failure']);
  expect(await archivesOf(api, repository.path)).toEqual([]);

  await api.put(`/api/repositories/${repository.id}`, { continue_on_hook_failure: true });
  expect((await backUp(api, repository.path)).status).toBe('completed');
  expect(lines('refused')).toEqual(['failure', 'success']);
});

test('ignores the failure of an attached script that may fail', async () => {
  const repository = await repositoryWith();
  const failing = await addScript('exit 1');
  const attachment = await attach(repository, failing);
  await attach(repository, await addScript(`echo ran >> ${folder}/further`), { execution_order: 2 });
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual([
    'completed_with_warnings',
    expect.stringMatching(/failed with exit code 1/),
  ]);
  await api.put(`/api/repositories/${repository.id}/scripts/${attachment}`, { continue_on_error: false });
  expect((await backUp(api, repository.path)).status).toBe('failed');
  expect(lines('further')).toEqual(['ran', 'ran']);
  const { body } = await api.get(`/api/scripts/${failing}`);
  expect(body.recent_executions).toMatchObject([
    { status: 'failed', exit_code: 1 },
    { status: 'failed', exit_code: 1, job_id: job.id, repository_id: repository.id },
  ]);
});

test('fails the job but keeps the archive if a post-backup hook fails', async () => {
  const repository = await newRepository({ post_backup_script: 'exit 9' });
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual([
    'failed',
    expect.stringMatching(/The archive was created\. .*exit code 9/),
  ]);
  expect((await archivesOf(api, repository.path)).map(({ name }) => name)).toEqual([job.archive_name]);
});

test('ends a slow hook with its processes and runs the one after', async () => {
  const repository = await repositoryWith({
    pre_hook_timeout: 1,
    pre_backup_script: `trap '' TERM; sleep 4722 & sleep 4722`,
    post_backup_script: `echo "$BK_UI_BACKUP_STATUS" >> ${folder}/late`,
  });
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual(['failed', expect.stringContaining('timeout of 1 s')]);
  expect(lines('late')).toEqual(['failure']);
  expect(allProcesses().filter(({ command }) => command === 'sleep 4722')).toEqual([]);
});

test('ends the running hook on cancel and still runs the post-backup hook', async () => {
  const repository = await repositoryWith({
    pre_backup_script: `echo begun >> ${folder}/cancelled; sleep 4733`,
    post_backup_script: `echo "$BK_UI_BACKUP_STATUS" >> ${folder}/cancelled`,
  });
  const id = await startBackup(api, repository.path);
  await waitFor(() => lines('cancelled').length === 1, { what: 'the hook' });
  await api.post(`/api/backup/cancel/${id}`);
  expect((await endedJob(api, id)).status).toBe('cancelled');
  expect(lines('cancelled')).toEqual(['begun', 'failure']);
  expect(allProcesses().filter(({ command }) => command === 'sleep 4733')).toEqual([]);
});

test('may create the sources of a backup', async () => {
  const later = join(folder, 'later');
  const repository = await repositoryWith({
    source_directories: [later],
    pre_backup_script: `mkdir -p ${later}; echo text > ${later}/file`,
  });
  expect((await backUp(api, repository.path)).status).toBe('completed');
});

test('encrypts and masks secrets and passes them to the script unchanged', async () => {
  const secret = 'top "secret" $(id)\nof two lines';
  const script = await addScript(
    `printf '%s' "\${API_TOKEN}" > ${folder}/token; echo "\${API_TOKEN}"; exit 1`,
  );
  const repository = await repositoryWith();
  const attachment = await attach(repository, script, {
    continue_on_error: false,
    parameter_values: { API_TOKEN: secret, UNKNOWN: 'dropped' },
  });
  const listed = await api.get(`/api/repositories/${repository.id}/scripts`);
  expect(listed.body.pre_backup[0]).toMatchObject({
    parameters: [{ name: 'API_TOKEN', type: 'password' }],
    parameter_values: { API_TOKEN: '***' },
  });
  const unchanged = { parameter_values: { API_TOKEN: '***' }, execution_order: 5 };
  await api.put(`/api/repositories/${repository.id}/scripts/${attachment}`, unchanged);
  const job = await backUp(api, repository.path);
  expect(readFileSync(join(folder, 'token'), 'utf8')).toBe(secret);
  const log = await logOf(job);
  expect(log).toContain('***');
  for (const text of [log, server.log, job.error_message ?? '', listed.text]) {
    expect(text).not.toMatch(/top "secret"|of two lines/);
  }
  const database = await server.database();
  expect(await database.contents()).not.toContain('of two lines');
  await database.close();
});

test('keeps only the beginning and the end of 100 MB of output', async () => {
  const repository = await repositoryWith({
    pre_backup_script: 'echo the first line; yes some more | head -c 100000000; echo the last line; exit 1',
  });
  const log = await logOf(await backUp(api, repository.path));
  expect(log).toMatch(/the first line[\s\S]*lines omitted[\s\S]*the last line/);
  expect(log.length).toBeLessThan(400_000);
});

test.each([
  ['reads stdin', 'cat && read -r x || echo "nothing to read"', 'completed'],
  ['has line ends of Windows', 'if true; then\r\n  echo windows\r\nfi\r\n', 'completed'],
  ['leaves a daemon behind', '(sleep 3; exit) & echo daemon', 'completed'],
  ['is no script', 'This is a letter, and no script at all.', 'failed'],
] as const)('handles a hook that %s', async (_what, script, status) => {
  const repository = await repositoryWith({ pre_backup_script: script });
  expect((await backUp(api, repository.path)).status).toBe(status);
});

test('scripts of a schedule run once around all its backups, with their values', async () => {
  const say = `echo "\${WORD} $BK_UI_HOOK_TYPE" >> ${folder}/schedule`;
  const [before, after] = [await addScript(say), await addScript(`${say}; sleep 0.1`)];
  const own = { post_backup_script: `echo repository >> ${folder}/schedule` };
  const repositories = [await newRepository(own), await newRepository(own)];
  const made = await api.post('/api/schedule/', {
    name: 'scripted',
    cron_expression: '0 0 1 1 *',
    repository_ids: repositories.map(({ id }) => id),
    pre_backup_script_id: before,
    pre_backup_script_parameters: { WORD: 'open' },
    post_backup_script_id: after,
    post_backup_script_parameters: { WORD: 'close' },
    run_repository_scripts: true,
  });
  expect(made.status).toBe(201);
  const { id } = made.body.job;
  const runNow = async () => (await api.post(`/api/schedule/${id}/run-now`)).body.job_ids as number[];
  const [first, second] = [await runNow(), await runNow()];
  for (const job of [...first, ...second]) expect((await endedJob(api, job)).status).toBe('completed');
  const run = ['open pre-backup', 'repository', 'repository', 'close post-backup'];
  await waitFor(() => lines('schedule').length === 8, { what: 'the last script', timeoutMs: 60_000 });
  expect(lines('schedule')).toEqual([...run, ...run]);

  expect((await api.delete(`/api/scripts/${before}`)).status).toBe(409);
  await api.put(`/api/schedule/${id}`, { run_repository_scripts: false, pre_backup_script_id: null });
  for (const job of await runNow()) expect((await endedJob(api, job)).status).toBe('completed');
  await waitFor(() => lines('schedule').length === 9, { what: 'the last script', timeoutMs: 60_000 });
  expect(lines('schedule').at(-1)).toBe('close post-backup');
  expect((await api.delete(`/api/scripts/${before}`)).status).toBe(204);
});

test('starts no backup if the first script fails, but runs the last one', async () => {
  const before = await addScript('echo refused >&2; exit 4');
  const after = await addScript(`echo closed >> ${folder}/abandoned`);
  const repositories = [await newRepository(), await newRepository()];
  const made = await api.post('/api/schedule/', {
    name: 'abandoned',
    cron_expression: '0 0 1 1 *',
    repository_ids: repositories.map(({ id }) => id),
    pre_backup_script_id: before,
    post_backup_script_id: after,
  });
  const { body } = await api.post(`/api/schedule/${made.body.job.id}/run-now`);
  for (const id of body.job_ids as number[]) {
    const job = await endedJob(api, id);
    expect([job.status, job.error_message]).toEqual([
      'failed',
      expect.stringMatching(/This run of schedule abandoned made no backup\..*exit code 4/),
    ]);
  }
  await waitFor(() => lines('abandoned').length === 1, { what: 'the last script', timeoutMs: 60_000 });
  expect(await archivesOf(api, repositories[0]?.path ?? '')).toEqual([]);
});

test('ends the running hook on shutdown and runs the post-backup hook first', async () => {
  const repository = await repositoryWith({
    pre_backup_script: `echo begun >> ${folder}/stopped; sleep 4755`,
    post_backup_script: `echo "$BK_UI_BACKUP_STATUS" >> ${folder}/stopped`,
  });
  const id = await startBackup(api, repository.path);
  await waitFor(() => lines('stopped').length === 1, { what: 'the hook' });
  expect(await server.stop()).toBe(0);
  expect(lines('stopped')).toEqual(['begun', 'failure']);
  await server.launch();
  expect((await endedJob(api, id)).status).toBe('failed');
  expect(lines('stopped')).toEqual(['begun', 'failure']);
});
