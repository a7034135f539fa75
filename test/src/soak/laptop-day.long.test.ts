/** A day of a laptop with a USB disk, in as many minutes as the environment says. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopProcess } from '../../../scripts/services/stop-process.mjs';
import { createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { HttpSink, webhookUrl } from '../services/http-sink.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

const minuteMs = 60_000;
const minutes = Number(process.env.LAPTOP_DAY_MINUTES || 15);
/** Of fifteen. */
const part = (count: number) => count * (minutes / 15) * minuteMs;

let server: TestServer;
let sink: HttpSink;
let api: Api;
let disk: string;
let image: string;

const plug = () => execFileSync('mount', ['-o', 'loop', image, disk]);
const unplug = () =>
  waitFor(
    () => {
      try {
        execFileSync('umount', [disk], { stdio: 'ignore' });
        return true;
      } catch {
        // A backup still writes to it, as people wait for who eject a disk.
        return false;
      }
    },
    { what: 'a disk that can be ejected', timeoutMs: 60_000, intervalMs: 200 },
  );

beforeAll(async () => {
  sink = await HttpSink.open();
  server = await TestServer.start();
  api = await server.login();
  disk = server.workspace.folder('usb');
  image = join(server.workspace.path, 'usb.img');
  execFileSync('truncate', ['--size=2G', image]);
  execFileSync('mkfs.ext4', ['-q', image]);
  plug();
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  execFileSync('umount', ['--lazy', '--quiet', disk], { stdio: 'ignore' });
  await server?.remove();
  await sink?.close();
});

interface Run {
  planned_at: string;
  started_at: string | null;
  outcome: string;
  waiting: boolean;
  reason: string | null;
}

test('tells the day of a laptop with a USB disk in the run history', {
  timeout: (minutes + 10) * minuteMs,
}, async () => {
  const source = server.workspace.folder('documents');
  makeFiles(source, 50);
  await api.post('/api/notifications', { name: 'on call', service_url: webhookUrl(sink) });
  const path = join(disk, 'backups');
  const { id } = await createRepository(api, { name: 'USB disk', path, source_directories: [source] });
  const schedule = await api.post('/api/schedule/', {
    name: 'every minute',
    cron_expression: '* * * * *',
    repository_ids: [id],
    when: { place_present: true },
    retry: { times: 3, after_minutes: 1 },
  });
  const runs = async (): Promise<Run[]> =>
    (await api.get(`/api/schedule/${schedule.body.job.id}/runs`, { limit: 1000 })).body.runs;

  const story: [what: string, from: number, until: number][] = [];
  const during = async (what: string, work: () => Promise<unknown>) => {
    const from = Date.now();
    await work();
    story.push([what, from, Date.now()]);
  };
  await during('plugged', () => pause(part(3)));
  await unplug();
  await during('unplugged', () => pause(part(3)));
  plug();
  const plugged = Date.now();
  await during('plugged', () => pause(part(2)));
  const first = (await runs()).filter((run) => run.started_at && Date.parse(run.started_at) > plugged).at(-1);
  expect(Date.parse(first?.started_at ?? '') - plugged).toBeLessThan(30_000);

  await stopProcess(server.pid);
  await during('asleep', () => pause(part(3)));
  process.kill(server.pid, 'SIGCONT');
  await during('plugged', () => pause(part(2)));
  await unplug();
  await during('unplugged', async () => {
    await pause(part(1));
    plug();
    await pause(1_000);
    await unplug();
    await pause(part(1));
  });
  plug();
  await waitFor(async () => (await runs()).every(({ outcome }) => outcome !== 'running'), {
    what: 'the last run',
    timeoutMs: 120_000,
  });

  const all = (await runs()).toReversed();
  process.stdout.write(
    all.map(({ planned_at, outcome, reason }) => `${planned_at} ${outcome} ${reason ?? ''}\n`).join(''),
  );
  const within = (what: string) =>
    all.filter(({ planned_at }) =>
      story.some(([name, from, until]) => {
        const at = Date.parse(planned_at);
        // The last run of a part still has its effect in the next one.
        return name === what && at > from && at < until - minuteMs;
      }),
    );
  expect(new Set(all.map(({ planned_at }) => planned_at)).size).toBe(all.length);
  expect(new Set(within('unplugged').map(({ outcome }) => outcome))).toEqual(new Set(['skipped']));
  expect(new Set(within('asleep').map(({ outcome }) => outcome))).toEqual(new Set(['missed']));
  expect(within('plugged').filter(({ outcome }) => outcome !== 'completed')).toEqual([]);
  expect(all.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(all.length).toBeGreaterThanOrEqual(minutes - 1);
  expect(sink.requests.length).toBeLessThanOrEqual(1);
});
