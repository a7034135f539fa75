import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from '../api.js';
import { type CommandOptions, type Ended, holdfast } from '../command.js';
import { adminPassword, TestServer } from '../server.js';

let server: TestServer;
let api: Api;
beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
});
afterAll(() => server?.remove());

/** With the environment of the service. */
const run = (parameters: string[], { env, ...options }: CommandOptions = {}): Promise<Ended> =>
  holdfast(parameters, {
    env: { DATA_DIR: server.dataDirectory, HOME: server.dataDirectory, PORT: '0', ...env },
    ...options,
  });

test('shows usage for each command, and exits with 2 for wrong calls', async () => {
  const commands = [
    ...[
      'serve',
      'doctor',
      'user reset-password',
      'secrets rotate',
      'secrets forget',
      'plugins list',
      'plugins check',
    ],
    'audit verify',
    ...['storage copy', 'storage move', 'recover', 'recovery-sheet', 'openapi', 'rebuild-figures'],
  ];
  const told = await Promise.all(commands.map((command) => run([...command.split(' '), '--help'])));
  for (const [index, { code, out }] of told.entries()) {
    expect([commands[index], code]).toEqual([commands[index], 0]);
    expect(out).toMatch(/^Usage: holdfast .*\n(.*\n)*Example:\n {2}\$ /);
  }
  const wrong = [
    ['nothing'],
    ['user'],
    ['user', 'reset-password'],
    ['doctor', '--loud'],
    ['plugins', 'check'],
    ['recover'],
    ['storage', 'copy'],
  ];
  for (const parameters of wrong) {
    const { code, out, err } = await run(parameters);
    expect([parameters, code, out, err.length > 0]).toEqual([parameters, 2, '', true]);
  }
  expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('prints the document of the service with openapi', async () => {
  const served = (await api.get('/api/openapi.json')).body;
  const file = join(server.workspace.path, 'openapi.json');
  const printed = await run(['openapi'], { env: { DATA_DIR: '/nonexistent' } });
  expect(JSON.parse(printed.out)).toEqual(served);
  expect(await run(['openapi', '--output', file])).toEqual({ code: 0, out: '', err: '' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(served);
  const { code, err } = await run(['openapi', '--output', join(file, 'x')]);
  expect([code, err]).toEqual([1, `Can't write ${join(file, 'x')} (ENOTDIR).\n`]);
});

test('resets a password next to the running service and ends all sessions', async () => {
  await api.post('/api/auth/users', { username: 'anna', password: 'first password' });
  const anna = await server.login('anna', 'first password');
  const token = (await anna.post('/api/auth/tokens', { name: 'scripts' })).body.access_token as string;
  const reset = await run(['user', 'reset-password', 'anna'], { input: 'second password\nrest\n' });
  expect([reset.code, reset.err]).toEqual([0, '']);
  expect(reset.out).not.toContain('second password');
  expect((await anna.get('/api/auth/me')).status).toBe(401);
  expect((await server.api.as(token).get('/api/auth/me')).status).toBe(401);
  const again = await server.login('anna', 'second password');
  expect((await again.get('/api/auth/me')).body.must_change_password).toBe(true);

  const made = await run(['user', 'reset-password', 'anna', '--generate']);
  const password = /New password: (\S+)/.exec(made.out)?.[1] ?? '';
  expect((await again.get('/api/auth/me')).status).toBe(401);
  await server.login('anna', password);
  expect((await api.get('/api/auth/me')).status).toBe(200);
});

test('refuses a reset in one sentence and changes nothing', async () => {
  const refused = async (username: string, input: string) => {
    const { code, out, err } = await run(['user', 'reset-password', username], { input });
    expect([code, out]).toEqual([1, '']);
    return err;
  };
  expect(await refused('nobody', 'a long password\n')).toMatch(
    /^There is no user nobody\. Users: admin, .*\n$/,
  );
  expect(await refused('admin', 'short\n')).toMatch(
    /^The password must have at least \d+ characters\. .*\n$/,
  );
  expect(await refused('admin', '')).toMatch(/^New password for admin is missing\. .*\n$/);
  await server.login('admin', adminPassword);

  const bert = (await api.post('/api/auth/users', { username: 'bert', password: 'first password' })).body;
  await api.put(`/api/auth/users/${bert.id}`, { is_active: false });
  expect(await refused('bert', 'a long password\n')).toContain('--activate');
  const { code } = await run(['user', 'reset-password', 'bert', '--activate'], { input: 'second password' });
  expect(code).toBe(0);
  await server.login('bert', 'second password');
});

test('plugins are listed, and a broken one is named', async () => {
  const { code, out } = await run(['plugins', 'list']);
  expect(code).toBe(0);
  expect(out).toMatch(/^KIND +ID +NAME +VERSION/);
  expect(out).toMatch(/^driver +borg +@holdfast\/driver-borg +\d+\.\d+\.\d+ +yes/m);
  const listed = JSON.parse((await run(['plugins', 'list', '--json'])).out) as { kind: string; id: string }[];
  expect(listed.map(({ kind, id }) => `${kind}-${id}`)).toEqual(
    expect.arrayContaining(['storage-sqlite', 'jobs-embedded', 'cache-memory', 'notify-webhook']),
  );
  const broken = await run(['plugins', 'list'], { env: { PLUGINS: '/nonexistent/plugin' } });
  expect([broken.code, broken.err]).toEqual([1, 'The plugin /nonexistent/plugin is not installed.\n']);
});

test('recalculates the figures', async () => {
  expect(await run(['rebuild-figures'])).toEqual({ code: 0, out: 'Counted 0 finished jobs.\n', err: '' });
});
