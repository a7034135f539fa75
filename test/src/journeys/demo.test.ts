import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Api } from '../api.js';
import { allProcesses, descendantsOf } from '../processes.js';
import { root } from '../published/installation.js';
import { makeWorkspace } from '../workspace.js';

const workspace = makeWorkspace();
const home = workspace.folder('home');
const folder = join(workspace.path, 'demo');
const running = new Set<Demo>();
afterAll(async () => {
  for (const demo of running) await demo.end();
  workspace.remove();
});

interface Demo {
  api: Api;
  /** The processes that it consists of. */
  processes(): number[];
  /** As Ctrl+C does. Resolves to its exit code. */
  end(): Promise<number>;
}

async function startDemo(): Promise<Demo> {
  const program = [join(root, 'scripts', 'demo.mjs'), '--folder', folder];
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: workspace.folder('tmp') };
  const child = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const demo = {
    processes: () => [child.pid ?? 0, ...descendantsOf(child.pid ?? 0).map(({ pid }) => pid)],
    async end() {
      running.delete(demo as Demo);
      child.kill('SIGINT');
      return (await ended)[0] as number;
    },
  };
  running.add(demo as Demo);
  let said = '';
  const printed = (async () => {
    for await (const text of child.stdout.setEncoding('utf8')) {
      said += text;
      const [, url, username, password] = /at (http:\S+)\nUser (\S+), password (.+)\n/.exec(said) ?? [];
      if (url && username && password) return { url, form: { username, password } };
    }
    throw new Error(`The demo ended: ${said}`);
  })();
  const { url, form } = await printed;
  child.stdout.resume();
  const login = await new Api(url).post('/api/auth/login', undefined, { form });
  return Object.assign(demo, { api: new Api(url, login.body.access_token) });
}

test('shows a year of seven repositories and an open incident', { timeout: 600_000 }, async () => {
  const demo = await startDemo();
  const { body } = await demo.api.get('/api/overview', { timezone: 'UTC' });
  expect(body.counts).toMatchObject({ total: 7, protected: 6, late: 1, unknown: 0, damaged: 0 });
  expect(body.attention).toMatchObject([{ cause: 'late' }]);
  expect(body.repositories[0].last_restore).not.toBeNull();
  const incidents = (await demo.api.get('/api/incidents')).body.incidents;
  expect(incidents.map(({ open }: { open: boolean }) => open).sort()).toEqual([false, true]);
  const { repositories } = (await demo.api.get('/api/history/days', { days: 365, timezone: 'UTC' })).body;
  for (const { days } of repositories.slice(0, 4))
    expect(days.replace(/[^o]/g, '').length).toBeGreaterThan(340);

  const listed = (await demo.api.get('/api/archives/list', { repository_id: 1 })).body.archives;
  expect(listed.length).toBeGreaterThan(15);
  const after = (await demo.api.get('/api/overview', { timezone: 'UTC' })).body;
  expect(after.repositories[0]).toMatchObject({ status: 'protected', archive_count: listed.length });

  const processes = demo.processes();
  expect(processes.length).toBeGreaterThan(1);
  expect(await demo.end()).toBe(0);
  const left = () => allProcesses().filter(({ pid }) => processes.includes(pid));
  // A helper ends when it notices that the service has.
  await expect.poll(left).toEqual([]);
  expect(readdirSync(home)).toEqual([]);
  expect(readdirSync(workspace.folder('tmp'))).toEqual([]);
});

test('keeps changes for the next start', { timeout: 120_000 }, async () => {
  const demo = await startDemo();
  const made = await demo.api.post('/api/source-sets', { name: 'Mine', source_directories: [folder] });
  expect(made.status).toBe(201);
  await demo.end();
  const again = await startDemo();
  const { source_sets } = (await again.api.get('/api/source-sets')).body;
  expect(source_sets.map(({ name }: { name: string }) => name)).toContain('Mine');
  expect((await again.api.get('/api/overview', { timezone: 'UTC' })).body.counts.total).toBe(7);
  await again.end();
});
