import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaVersions } from '@holdfast/core/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archivesOf,
  backUp,
  createRepository,
  endedJob,
  type Job,
  jobOf,
  passphrase,
  type Repository,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { samplesOf } from '../metrics.js';
import { Borg } from '../oracles/borg.js';
import { borgProcesses, killAll } from '../processes.js';
import { TestServer } from '../server.js';
import type { Database } from '../store/database.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

const workspace = makeWorkspace();
const gate = (name: string) => join(workspace.path, `gate-${name}`);
const source = workspace.folder('source');
const kept = { prune_keep_daily: 2, prune_keep_weekly: 0, prune_keep_monthly: 0, prune_keep_yearly: 0 };
const day = 86_400_000;

let server: TestServer;
let api: Api;

/** borg whose `create` stands still before or after it while there is a gate. */
function makeBorg(): string {
  const bin = workspace.folder('bin');
  const real = execFileSync('sh', ['-c', 'command -v borg'], { encoding: 'utf8' }).trim();
  const stand = (at: string) =>
    `if [ -e ${gate(at)} ]; then touch ${gate(at)}.waits; while [ -e ${gate(at)} ]; do sleep 0.05; done; fi`;
  const script = `#!/bin/sh
[ "$1" = create ] || exec ${real} "$@"
${stand('before')}
${real} "$@"
code=$?
${stand('after')}
exit $code
`;
  writeFileSync(join(bin, 'borg'), script);
  chmodSync(join(bin, 'borg'), 0o755);
  return bin;
}

beforeAll(async () => {
  makeFiles(source, 3);
  const PATH = `${makeBorg()}:${process.env.PATH}`;
  server = await TestServer.start({ workspace, env: { PATH } });
  api = await server.login();
});
afterAll(() => server?.remove());

const make = (name: string): Promise<Repository> =>
  createRepository(api, { name, path: join(workspace.path, name), source_directories: [source] });
const byHand = ({ path }: Repository) => new Borg(path, workspace.folder('by-hand'), { passphrase });
const namesIn = async (repository: Repository) =>
  (await byHand(repository).list()).map(({ name }) => name).toSorted();

/** A backup whose tool stands still. */
async function heldBackup(repository: Repository, at: 'before' | 'after'): Promise<Job> {
  writeFileSync(gate(at), '');
  const id = await startBackup(api, repository.path);
  await waitFor(() => existsSync(`${gate(at)}.waits`), { what: 'a tool that stands still' });
  return jobOf(api, id);
}

/** The service is gone in that moment. */
async function killedBackup(repository: Repository, at: 'before' | 'after'): Promise<Job> {
  const job = await heldBackup(repository, at);
  await server.stop('SIGKILL');
  return job;
}

function openGates() {
  for (const at of ['before', 'after']) {
    for (const file of [gate(at), `${gate(at)}.waits`]) rmSync(file, { force: true });
  }
}

/** Starts the service again, which finds what became of the backup. */
async function cameBack({ id }: Job) {
  await server.launch();
  const job = await endedJob(api, id);
  openGates();
  return job;
}

async function scheduled(repository: Repository): Promise<() => Promise<string>> {
  const answer = await api.post('/api/schedule/', {
    name: repository.name,
    cron_expression: '0 3 1 1 *',
    repository_ids: [repository.id],
    ...kept,
    run_prune_after: true,
    archive_name_template: '{job_name}-{timestamp}',
  });
  expect(answer.status, answer.text).toBe(201);
  return async () => {
    const { body } = await api.post(`/api/schedule/${answer.body.job.id}/run-now`);
    const done = async () => {
      const job = (await api.get(`/api/backup/status/${body.job_id}`)).body;
      return /_failed|completed/.test(job.maintenance_status) && job;
    };
    const job = await waitFor(done, { what: 'the prune after the backup' });
    expect(job).toMatchObject({ status: 'completed', maintenance_status: 'maintenance_completed' });
    return job.archive_name;
  };
}

test('ignores archives of others with our comment from the past or from 2031', async () => {
  const repository = await make('forged');
  const borg = byHand(repository);
  const run = await scheduled(repository);
  const first = await run();
  const [{ comment = '' } = {}] = await borg.list();
  const dates = [Date.UTC(2031, 0, 1), Date.UTC(2031, 0, 2), Date.now() - day, Date.now() - 2 * day];
  for (const [index, at] of dates.entries()) await borg.create(`forged-${index}`, at, { source, comment });
  const forged = ['forged-0', 'forged-1', 'forged-2', 'forged-3'];
  await run();
  expect(await namesIn(repository)).toEqual(expect.arrayContaining([...forged, first]));
  const last = await run();
  expect(await namesIn(repository)).toEqual([...forged, first, last].toSorted());

  const byUser = await api.post(`/api/repositories/${repository.id}/prune`, { keep_daily: 1, dry_run: true });
  const rules = byUser.body.archives.map(({ name, rule }: { name: string; rule: string }) => [name, rule]);
  expect(rules.slice(0, 3)).toEqual([
    ['forged-1', 'in the future'],
    ['forged-0', 'in the future'],
    [last, 'daily #1'],
  ]);
});

test('ignores the archive of a lost job after the database was restored', async () => {
  const repository = await make('put-back');
  expect((await backUp(api, repository.path)).status).toBe('completed');
  await server.stop();
  const saved = workspace.folder('saved');
  const database = readdirSync(server.dataDirectory).filter((name) => name.startsWith('holdfast.db'));
  for (const name of database) cpSync(join(server.dataDirectory, name), join(saved, name));
  await server.launch();
  const lost = await backUp(api, repository.path);
  expect(lost.status).toBe('completed');
  await server.stop();
  for (const name of readdirSync(server.dataDirectory)) {
    if (name.startsWith('holdfast.db')) rmSync(join(server.dataDirectory, name));
  }
  cpSync(saved, server.dataDirectory, { recursive: true });
  await server.launch();

  const killed = await killedBackup(repository, 'before');
  expect(killed.id).toBe(lost.id);
  const job = await cameBack(killed);
  expect(job).toMatchObject({ status: 'failed', error_message: expect.stringContaining('Interrupted') });
  expect((await backUp(api, repository.path)).status).toBe('completed');
});

/** Takes away all that later releases brought. */
async function asInFirstRelease(database: Database): Promise<void> {
  const later = schemaVersions.filter(({ version }) => version > 1).flatMap(({ changes }) => changes);
  for (const change of later.toReversed()) {
    if (change.kind === 'create-entity') await database.all(`DROP TABLE "${change.entity.name}"`);
    if (change.kind === 'add-index') {
      const name = [change.entity, ...change.columns, change.unique ? 'key' : 'idx'].join('_');
      await database.all(`DROP INDEX "${name}"`);
    }
    if (change.kind === 'add-column')
      await database.all(`ALTER TABLE "${change.entity}" DROP COLUMN "${change.column}"`);
  }
  await database.all('DELETE FROM schema_version WHERE version > 1');
}

/** Gives an archive the comment that the first release wrote, and lets the rows know it so. */
async function withFormerComment(database: Database, repository: Repository, name: string): Promise<string> {
  const borg = byHand(repository);
  const find = async () => (await borg.list()).find((archive) => archive.name === name);
  const before = await find();
  const [job] = await database.all<{ id: number; schedule_id: number }>(
    'SELECT job.id, job.schedule_id FROM job JOIN archive ON archive.job_id = job.id WHERE archive.name = ?',
    name,
  );
  const comment = `holdfast:1:${before?.comment.split(':')[2]}:${job?.schedule_id}:${job?.id}`;
  await borg.run('recreate', '--comment', comment, `${repository.path}::${name}`);
  const after = await find();
  const row = 'UPDATE archive SET tool_id = ?, comment = ? WHERE tool_id = ?';
  await database.all(row, after?.id, comment, before?.id);
  const outcome = 'UPDATE job SET outcome = replace(outcome, ?, ?) WHERE id = ?';
  await database.all(outcome, before?.id, after?.id, job?.id);
  return comment;
}

test('keeps archives of the first release with their schedule, and forged ones without', async () => {
  const repository = await make('former');
  const run = await scheduled(repository);
  const names = [await run(), await run()] as [string, string];
  await server.stop();
  const database = await server.database();
  let comment = '';
  for (const name of names) comment = await withFormerComment(database, repository, name);
  await byHand(repository).create('forged', Date.now() - day, { source, comment });
  await asInFirstRelease(database);
  await server.launch();
  const recorded = 'SELECT name FROM archive WHERE schedule_id IS NOT NULL AND name IN (?, ?)';
  expect(await database.all(recorded, ...names)).toHaveLength(2);
  await database.close();
  api = await server.login();

  const last = await run();
  expect(await namesIn(repository)).toEqual(['forged', names[0], last].toSorted());
});

test('counts unfinished archives and removes them even after a recovered backup', async () => {
  const repository = await make('unfinished');
  const left = async () => {
    const { text } = await server.api.request('GET', '/metrics', { token: null });
    const [sample] = samplesOf(text).filter(
      ({ name, labels }) =>
        name === 'bk_repository_unfinished_archives' && labels.repository === 'unfinished',
    );
    return sample?.value;
  };
  const interrupted = await killedBackup(repository, 'before');
  const name = `manual-backup-${interrupted.started_at?.slice(0, 19)}.checkpoint`;
  await byHand(repository).create(name, Date.now(), { source });
  expect(await cameBack(interrupted)).toMatchObject({ status: 'failed' });
  expect(await left()).toBe(1);

  const recovered = await cameBack(await killedBackup(repository, 'after'));
  expect(recovered.status).toMatch(/^completed/);
  expect((await backUp(api, repository.path)).status).toBe('completed');
  const words = ['--consider-checkpoints', '--short', repository.path];
  expect(await byHand(repository).run('list', ...words)).not.toContain('.checkpoint');
  expect(await left()).toBe(0);
});

test.each(['killed', 'cancelled'] as const)(
  'lists the archive if the tool is %s after creating it',
  async (how) => {
    const repository = await make(how);
    const { id } = await heldBackup(repository, 'after');
    if (how === 'cancelled') await api.post(`/api/backup/cancel/${id}`);
    else killAll(borgProcesses(repository.path));
    const job = await endedJob(api, id);
    openGates();
    expect([job.status, job.error_message]).toEqual([
      'completed_with_warnings',
      expect.stringContaining("before Borg's warnings were stored"),
    ]);
    expect((await archivesOf(api, repository.path)).map(({ name }) => name)).toEqual([job.archive_name]);
    expect(await namesIn(repository)).toEqual([job.archive_name]);
  },
);
