import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, endedJob, jobOf, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { HeldSource } from '../held-source.js';
import { allProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let service: TestedService;
let folder: string;
const ids: Record<'stopped' | 'before' | 'after' | 'scheduled', number> = {
  stopped: 0,
  before: 0,
  after: 0,
  scheduled: 0,
};

const lines = (name: string): string[] => {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};
const sleepers = () => allProcesses().filter(({ command }) => command === 'sleep 4711').length;

async function repositoryWith(name: string, settings: object) {
  return createRepository(api, {
    name,
    path: server.workspace.folder('repositories', name),
    encryption: 'none',
    source_directories: [join(folder, 'few')],
    ...settings,
  });
}

/**
 * Four backups, each with hooks that were cut off elsewhere, when service and tool are killed; then one
 * start.
 */
beforeAll(async () => {
  server = await TestServer.start({ env: { MAX_CONCURRENT_JOBS: '4' } });
  api = await server.login();
  folder = server.workspace.folder('scene');
  makeFiles(server.workspace.folder('scene', 'few'), 3);
  service = testedService(server.workspace.folder('service'));
  const held = [1, 2].map((n) => new HeldSource(server.workspace.folder('scene', `held-${n}`)));
  const [stopped, scheduled] = held.map(({ settings }) => settings);

  const starting = await repositoryWith('starting', { post_backup_script: service.start });
  expect((await backUp(api, starting.path)).status).toBe('completed');
  expect(await service.answers()).toBe(true);

  const stopping = { pre_backup_script: service.stop, post_backup_script: service.start };
  ids.stopped = await startBackup(api, (await repositoryWith('stopped', { ...stopped, ...stopping })).path);
  const before = {
    pre_backup_script: `echo begun >> ${folder}/before; sleep 4711`,
    post_backup_script: `echo "$BK_UI_BACKUP_STATUS" >> ${folder}/after-before`,
  };
  ids.before = await startBackup(api, (await repositoryWith('before', before)).path);
  const after = {
    post_backup_script: `echo begun >> ${folder}/after
[ -e ${folder}/cut ] || { touch ${folder}/cut; sleep 4711; }
echo "$BK_UI_BACKUP_STATUS" >> ${folder}/after`,
  };
  ids.after = await startBackup(api, (await repositoryWith('after', after)).path);
  ids.scheduled = await startScheduled((await repositoryWith('scheduled', scheduled ?? {})).id);
  for (const each of held) await each.reached();
  const inside = () => lines('before').length > 0 && existsSync(join(folder, 'cut'));
  await waitFor(inside, { what: 'hooks to cut off', timeoutMs: 60_000 });
  expect([await service.answers(), service.stops().length, sleepers()]).toEqual([false, 1, 2]);

  await server.stop('SIGKILL');
  await server.launch();
  for (const id of Object.values(ids)) await endedJob(api, id, 60_000);
});
afterAll(async () => {
  service?.end();
  await server?.remove();
});

async function startScheduled(repositoryId: number): Promise<number> {
  const scriptOf = async (name: string) => {
    const answer = await api.post('/api/scripts', { name, content: `echo ${name} >> ${folder}/schedule` });
    expect(answer.status).toBe(201);
    return answer.body.id as number;
  };
  const schedule = await api.post('/api/schedule/', {
    name: 'yearly',
    cron_expression: '0 0 1 1 *',
    repository_ids: [repositoryId],
    pre_backup_script_id: await scriptOf('opened'),
    post_backup_script_id: await scriptOf('closed'),
  });
  expect(schedule.status).toBe(201);
  return (await api.post(`/api/schedule/${schedule.body.job.id}/run-now`)).body.job_id as number;
}

const statusOf = async (id: number) => (await jobOf(api, id)).status;

test('starts the service that a hook stopped once', async () => {
  expect(await statusOf(ids.stopped)).toBe('failed');
  expect(await service.answers()).toBe(true);
  expect(service.starts()).toEqual(['success', 'failure']);
});

test('ends an interrupted pre-backup hook and runs the post-backup one', async () => {
  expect(await statusOf(ids.before)).toBe('failed');
  expect(sleepers()).toBe(0);
  expect([lines('before'), lines('after-before')]).toEqual([['begun'], ['failure']]);
});

test('repeats an interrupted post-backup hook and keeps the result of the backup', async () => {
  expect(await statusOf(ids.after)).toBe('completed');
  expect(lines('after')).toEqual(['begun', 'begun', 'success']);
});

test('runs the final script of a schedule once', async () => {
  expect(await statusOf(ids.scheduled)).toBe('failed');
  await waitFor(() => lines('schedule').length > 1, { what: 'the last script', timeoutMs: 60_000 });
  expect(lines('schedule')).toEqual(['opened', 'closed']);
});

test('runs nothing again at a further start', async () => {
  await server.restart();
  for (const id of Object.values(ids)) expect(await statusOf(id)).not.toBe('running');
  // What is owed is looked for at the start and then every two seconds.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(await service.answers()).toBe(true);
  expect([service.starts().length, lines('after').length, lines('schedule').length]).toEqual([2, 3, 2]);
});

/** A real service of its own on a free port, which hooks stop and start as an administrator would. */
function testedService(folder: string) {
  const file = (name: string) => join(folder, name);
  writeFileSync(
    file('service.mjs'),
    `import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
const server = createServer((_, res) => res.end('up')).listen(0, '127.0.0.1', () => {
  writeFileSync('${file('port')}', String(server.address().port));
});`,
  );
  const start = `cd ${folder}
rm -f port
nohup ${process.execPath} service.mjs >/dev/null 2>&1 &
echo $! > pid
echo "$BK_UI_BACKUP_STATUS" >> starts
while [ ! -e port ]; do sleep 0.05; done`;
  const stop = `cd ${folder}
kill "$(cat pid)"
while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.05; done
echo stopped >> stops`;
  const lines = (name: string) =>
    existsSync(file(name)) ? readFileSync(file(name), 'utf8').trim().split('\n') : [];
  return {
    start,
    stop,
    starts: () => lines('starts'),
    stops: () => lines('stops'),
    pid: () => Number(lines('pid')[0] ?? 0),
    async answers(): Promise<boolean> {
      try {
        return (await (await fetch(`http://127.0.0.1:${lines('port')[0]}/`)).text()) === 'up';
      } catch {
        return false;
      }
    },
    end() {
      const pid = Number(lines('pid')[0] ?? 0);
      if (allProcesses().some((each) => each.pid === pid && each.command.includes('service.mjs')))
        process.kill(pid);
    },
  };
}
type TestedService = ReturnType<typeof testedService>;
