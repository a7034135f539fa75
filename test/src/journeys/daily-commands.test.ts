import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { type CommandOptions, type Ended, holdfast, RunningCommand } from '../command.js';
import { entry } from '../product.js';
import { TestServer } from '../server.js';

let server: TestServer;
let api: Api;
let token: string;
let source: string;
let archive: string;
const evil = 'letter\x1b[31m.txt';

const surroundings = ({ env, ...options }: CommandOptions = {}): CommandOptions => ({
  env: { HOLDFAST_URL: api.baseUrl, HOLDFAST_TOKEN: token, ...env },
  ...options,
});
const run = (words: string[], options?: CommandOptions): Promise<Ended> =>
  holdfast(words, surroundings(options));
const document = async (words: string[]) => JSON.parse((await run([...words, '--json'])).out);

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory', env: { INDEX_MAX_MB: '100' } });
  api = await server.login();
  token = (await api.post('/api/auth/tokens', { name: 'commands' })).body.access_token;
  source = server.workspace.folder('source');
  writeFileSync(join(source, 'notes.txt'), 'content');
  writeFileSync(join(source, evil), 'content');
  for (const name of ['home', 'photos'])
    await createRepository(api, {
      name,
      path: join(server.workspace.path, name),
      source_directories: [source],
      freshness_hours: 24,
    });
  const schedule = { name: 'nightly', cron_expression: null, repository_ids: [1, 2] };
  expect((await api.post('/api/schedule/', schedule)).status).toBe(201);
});
afterAll(() => server?.remove());

test('backs up by name, and prints lines in a pipe', async () => {
  const { code, out, err } = await run(['backup', 'home']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^(Job 1, backup of home: .*\n)+Backup of home: completed in .* s: 2 files, .* new\n$/);
  expect(out).not.toContain('\x1b');
  archive = (await api.get('/api/archives/list', { repository_id: 1 })).body.archives[0].name;
});

test('answers an unknown name with close ones, and starts nothing', async () => {
  const { code, out, err } = await run(['backup', 'photo']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe('No repository or schedule is called "photo". Did you mean:\n  photos\n');
  expect((await api.get('/api/jobs')).body.jobs).toHaveLength(1);
});

test('exits with 0, 1 or 2 for the status', async () => {
  const states = async (options?: CommandOptions) => {
    const { code, out, err } = await run(['status'], options);
    return [code, out, err];
  };
  expect(await states()).toEqual([2, expect.stringMatching(/^It is unknown whether 1 of 2 /), '']);
  expect((await run(['backup', 'nightly'])).code).toBe(0);
  expect(await states()).toEqual([0, expect.stringMatching(/^Protected: 2 of 2 repositories\.\n/), '']);
  expect((await document(['status'])).headline).toEqual((await api.get('/api/overview')).body.headline);

  const place = join(server.workspace.path, 'photos');
  renameSync(place, `${place}-away`);
  const failed = await run(['check', 'photos']);
  expect([failed.code, failed.out]).toEqual([1, expect.stringMatching(/^Check of photos: failed/m)]);
  expect(await states()).toEqual([1, expect.stringMatching(/^Cannot be opened: 1 of 2 .*\n {2}photos/), '']);
  renameSync(`${place}-away`, place);

  expect(await states({ env: { HOLDFAST_TOKEN: 'hf_wrong' } })).toEqual([
    2,
    '',
    expect.stringContaining('token'),
  ]);
  expect(await states({ env: { HOLDFAST_TOKEN: undefined } })).toEqual([
    2,
    '',
    'HOLDFAST_TOKEN is not set. Set it to an API token.\n',
  ]);
  const away = 'http://127.0.0.1:9';
  expect(await states({ env: { HOLDFAST_URL: away } })).toEqual([
    2,
    '',
    expect.stringContaining(`Holdfast does not respond at ${away} (`),
  ]);
});

test('lists and finds names, and escapes their control characters', async () => {
  const folder = source.slice(1);
  const shown = String.raw`letter\x1b[31m.txt`;
  expect((await run(['list'])).out).toMatch(/^home {4}\d archives .*\nphotos /);
  expect((await run(['list', '1', '--last', '1'])).out).toMatch(/^nightly-home-\S+ {2}\d{4}-.*\n$/);
  const { out } = await run(['list', 'home', archive, folder]);
  expect(out).toContain(`${shown}  7 B`);
  expect(out).not.toContain('\x1b');
  const found = await run(['find', 'letter*']);
  expect(found.out).toContain(`${folder}/${shown}`);
  expect(await run(['find', 'nothing', '--repository', 'home'])).toMatchObject({ code: 1, out: '' });
});

test('prints the responses of the API with --json', async () => {
  const same = async (words: string[], path: string, query?: Record<string, string>) =>
    expect(await document(words)).toEqual((await api.get(path, query)).body);
  const of = { repository_id: '1' };
  await same(['list'], '/api/repositories/');
  await same(['list', 'home'], '/api/archives/list', of);
  await same(['list', 'home', archive], `/api/archives/${archive}/contents`, of);
  await same(['find', 'notes'], '/api/archives/search-everywhere', { query: 'notes' });
  await same(['find', 'notes', '--repository', 'home'], '/api/repositories/1/search', { q: 'notes' });
  await same(['watch'], '/api/jobs', { status: 'running,pending' });
  await same(['logs', '1'], '/api/jobs/1/log');
  const ended = await document(['check', 'home']);
  expect(ended.jobs).toEqual([(await api.get(`/api/jobs/${ended.jobs[0].id}`)).body.job]);
});

test('shows the plan of a restore, and restores only when asked to', async () => {
  const to = join(server.workspace.path, 'restored');
  const words = ['restore', archive, join(source, 'notes.txt'), '--to', to];
  const restored = join(to, source, 'notes.txt');

  const refused = await run(words);
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.err).toContain('Add --plan to see the plan, or --yes.');
  const planned = await run([...words, '--plan']);
  expect([planned.code, planned.err]).toEqual([0, '']);
  expect(planned.out).toMatch(/^Restore 1 file, 0 folders \(7 B\)\n {2}from .* of home\n {2}to \//);
  expect(existsSync(to)).toBe(false);

  expect((await run([...words, '--yes'])).out).toMatch(/\nRestore of home: completed in .*\n$/);
  expect(readFileSync(restored, 'utf8')).toBe('content');

  writeFileSync(restored, 'mine');
  const again = await run([...words, '--yes']);
  expect([again.code, again.err]).toEqual([1, 'Nothing was restored.\n']);
  expect(again.out).toContain('add --overwrite or --skip-existing.');
  expect((await document([...words, '--plan'])).can_start).toBe(false);
  expect(readFileSync(restored, 'utf8')).toBe('mine');
  expect((await run([...words, '--yes', '--overwrite'])).code).toBe(0);
  expect(readFileSync(restored, 'utf8')).toBe('content');
});

/** On a terminal, where the text is typed when the question is there. */
async function typing(
  words: string[],
  text = '',
  before = 'true',
): Promise<{ code: number | null; out: string }> {
  const command = [before, '&&', process.execPath, entry, ...words].join(' ');
  const env = { ...surroundings().env, PATH: process.env.PATH, TERM: 'xterm', NO_COLOR: '1' };
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: env as NodeJS.ProcessEnv });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    if (!out.includes('[y/N]') && `${out}${piece}`.includes('[y/N]')) child.stdin.write(text);
    out += piece;
  });
  const [code] = await once(child, 'close');
  return { code, out };
}

test('asks on a terminal, and changes nothing after Ctrl-C', async () => {
  const to = join(server.workspace.path, 'asked');
  const words = ['restore', archive, source, '--to', to];
  for (const [typed, code] of [
    ['n\n', 1],
    ['\x03', 130],
    ['y\n', 0],
  ] as const) {
    const ended = await typing(words, typed);
    expect([typed, ended.code, ended.out]).toEqual([typed, code, expect.stringContaining('Restore? [y/N]')]);
    expect(existsSync(to)).toBe(code === 0);
  }
});

test('fits its lines into a terminal of 20 columns', async () => {
  for (const words of [['status'], ['list'], ['list', 'home'], ['find', 'notes']]) {
    const { code, out } = await typing(words, '', 'stty cols 20');
    const wide = out.split(/\r?\n/).filter((line) => [...line].length > 20);
    expect([words, code, wide]).toEqual([words, words[0] === 'status' ? expect.any(Number) : 0, []]);
  }
});

test('ends without a word when its reader closes the pipe', async () => {
  const command = `${process.execPath} ${entry} list home | head -n 0; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', command], {
    encoding: 'utf8',
    env: { ...surroundings().env, PATH: process.env.PATH } as NodeJS.ProcessEnv,
  });
  expect([stdout, stderr]).toEqual(['0\n', '']);
});

test('pins, unpins, shows logs and how to mount', async () => {
  const pinned = async () =>
    (await api.get('/api/archives/list', { repository_id: 1 })).body.archives[0].pinned;
  expect(await run(['pin', archive, '--reason', 'before the move'])).toMatchObject({ code: 0, err: '' });
  expect(await pinned()).toMatchObject({ reason: 'before the move' });
  expect((await run(['list', 'home'])).out).toContain('pinned: before the move');
  expect(await run(['unpin', 'latest', '--repository', 'photos'])).toMatchObject({ code: 1, out: '' });
  expect(await run(['unpin', archive])).toMatchObject({ code: 0, err: '' });
  expect(await pinned()).toBe(null);

  const logs = await run(['logs', '1', '--follow']);
  expect(logs.code).toBe(0);
  expect(logs.out).toContain(archive);
  expect(logs.err).toMatch(/^Backup of home: completed/);
  const hint = (await run(['mount-hint', 'home', 'latest'])).out;
  expect(hint).toContain(`export BORG_REPO=${join(server.workspace.path, 'home')}\n`);
  expect(hint).toMatch(/\nborg mount ::nightly-home-\S+ ~\/holdfast-mount\n/);
});

test('leaves a job running after Ctrl-C, and says how to follow it', async () => {
  writeFileSync(join(source, 'large'), Buffer.alloc(60_000_000, 'x'));
  const command = new RunningCommand(['backup', 'home', '--repository'], surroundings());
  await command.said(/backup of home: /);
  await command.kill('SIGINT');
  const { code, err } = await command.ended;
  expect([code, err]).toEqual([
    130,
    expect.stringMatching(/^Job (\d+) continues\. To follow it: holdfast logs \1 --follow\n$/),
  ]);
  expect((await run(['watch'])).code).toBe(0);
  const { jobs } = (await api.get('/api/jobs', { limit: '1' })).body;
  expect(jobs[0]).toMatchObject({ kind: 'backup', status: 'completed' });
});

test('prints a completion that bash accepts and that knows the repositories', async () => {
  const { out } = await run(['completion', 'bash']);
  expect(spawnSync('bash', ['-n'], { input: out }).status).toBe(0);
  expect((await run(['completion', 'words', '--', 'list', 'ph'])).out).toBe('photos\n');
  expect((await run(['completion', 'words', '--', 'backup', ''])).out).toBe('home\nphotos\nnightly\n');
});
