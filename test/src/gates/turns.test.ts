import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';

const watch = fileURLToPath(new URL('./turn-watch.mjs', import.meta.url));
/** Code that runs for the first time takes a while; what this gate is about took seconds and minutes. */
const longestTurnMs = 400;

let server: TestServer;
let api: Api;
let report: string;

beforeAll(async () => {
  report = join(mkdtempSync(join(tmpdir(), 'hf-turns-')), 'turns');
  server = await TestServer.start({ env: { NODE_OPTIONS: `--import=${watch}`, TURN_REPORT: report } });
  api = await server.login();
});
afterAll(async () => {
  await server?.remove();
  if (report) rmSync(dirname(report), { recursive: true, force: true });
});

/** The longest turn of the event loop while the request was answered, in milliseconds of computing. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  writeFileSync(report, '');
  await work();
  const turns = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n').filter(Boolean) : [];
  return Math.max(0, ...turns.map((line) => (JSON.parse(line) as { ms: number }).ms));
}

test('reports a turn that takes long', () => {
  const busy =
    'setTimeout(() => { while (process.cpuUsage().user < 400_000); }, 50); setTimeout(() => {}, 500)';
  const env = { PATH: process.env.PATH, TURN_REPORT: `${report}-of-another` };
  execFileSync(process.execPath, [`--import=${watch}`, '-e', busy], { env });
  expect(
    JSON.parse(readFileSync(env.TURN_REPORT, 'utf8').trim().split('\n').at(-1) ?? '').ms,
  ).toBeGreaterThan(50);
});

const repeated = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join('');
const borgmatic = (content: string) => () =>
  api.post('/api/import/borgmatic', { files: [{ name: '/etc/borgmatic/c.yaml', content }], dry_run: true });
const settings = (parts: object) => () =>
  api.post('/api/settings/import', {
    document: { format: 'holdfast-settings', version: 1, ...parts },
    dry_run: true,
  });

test.each<[string, () => Promise<{ status: number }>]>([
  ['many aliases of borgmatic', borgmatic(`a: &x 1\nl: [${'*x, '.repeat(30_000)}1]\n`)],
  ['variables without an end', borgmatic(`k: "${'${a-'.repeat(60_000)}"\n`)],
  ['deep lists', borgmatic(`k: ${'['.repeat(200_000)}${']'.repeat(200_000)}\n`)],
  ['one option many times', borgmatic(repeated(9_000, (n) => `keep_daily: ${n}\n`))],
  ['many unknown options', borgmatic(repeated(9_000, (n) => `o${n}: 1\n`))],
  [
    'many objects of settings',
    settings({
      source_sets: Array.from({ length: 1_000 }, (_, n) => ({ name: `s${n}`, source_directories: ['/x'] })),
      scripts: Array.from({ length: 1_000 }, (_, n) => ({ name: `s${n}`, content: 'true' })),
      script_attachments: Array.from({ length: 90 }, (_, n) => ({
        ...{ repository_id: n.toString(16).padStart(64, '0'), script: 'none', hook_type: 'pre-backup' },
      })),
    }),
  ],
  [
    'a long text for a key',
    () =>
      api.post('/api/repositories/import', {
        ...{ name: 'k', path: '/nowhere', mode: 'observe', keyfile_content: '<textarea'.repeat(25_000) },
      }),
  ],
])('answers others meanwhile when a request has %s', async (_what, send) => {
  let status = 0;
  const longest = await longestTurn(async () => {
    status = (await send()).status;
  });
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  expect(longest).toBeLessThan(longestTurnMs);
});

test('answers others meanwhile when a repository on the sheet has 20 MB for a key', async () => {
  const path = join(server.workspace.folder('gifts'), 'r');
  const env = {
    PATH: process.env.PATH,
    HOME: server.workspace.folder('stranger'),
    BORG_PASSPHRASE: 'a passphrase',
  };
  execFileSync('borg', ['init', '-e', 'repokey', path], { env, stdio: 'pipe' });
  const made = await api.post('/api/repositories/import', {
    ...{ name: 'gift', path, passphrase: 'a passphrase', mode: 'observe' },
  });
  expect(made.status).toBe(201);
  appendFileSync(join(path, 'config'), `\t${'A'.repeat(70)}\n`.repeat(280_000));
  let text = '';
  const longest = await longestTurn(async () => {
    await api.get('/api/recovery-sheet', { format: 'pdf', secrets: true });
    text = (await api.get('/api/recovery-sheet', { format: 'text', secrets: true })).text;
  });
  expect(text).toMatch(/Not on this sheet: The key:/);
  expect(text.length).toBeLessThan(20_000);
  expect(longest).toBeLessThan(longestTurnMs);
}, 120_000);
