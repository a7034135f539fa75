import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, expectRefusal, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { allProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let api: Api;
let user: Api;
let repository: Repository;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  const source = server.workspace.folder('source');
  makeFiles(source, 1);
  const path = server.workspace.folder('repository');
  repository = await createRepository(api, {
    name: 'r',
    path,
    encryption: 'none',
    source_directories: [source],
  });
  const account = { username: 'bob', password: 'a password of bob', must_change_password: false };
  expect((await api.post('/api/auth/users', account)).status).toBe(201);
  user = await server.login('bob', account.password);
});
afterAll(() => server?.remove());

const add = async (input: object) => (await api.post('/api/scripts', input)).body;
const attachments = () => `/api/repositories/${repository.id}/scripts`;

test('creates, shows, changes and deletes a script', async () => {
  const content = `#!/bin/bash\necho "\${NAME:-nobody} \${DB_PASSWORD} \${PATH} \${BK_UI_JOB_ID}"\n`;
  const made = await api.post('/api/scripts', { name: ' Greeting ', description: 'Says hello', content });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    name: 'Greeting',
    content,
    category: 'custom',
    timeout: 300,
    run_on: 'always',
    usage_count: 0,
    parameters: [
      { name: 'DB_PASSWORD', type: 'password', default: '', required: false },
      { name: 'NAME', type: 'text', default: 'nobody', required: false },
    ],
    repositories: [],
    schedules: [],
    recent_executions: [],
  });
  const { id } = made.body;
  const later = await add({ name: 'Later', content: 'true' });
  expect((await user.get('/api/scripts')).body.map((each: { id: number }) => each.id)).toEqual([
    later.id,
    id,
  ]);
  expect((await user.get('/api/scripts', { search: 'HELLO' })).body).toMatchObject([{ id }]);
  expect((await user.get('/api/scripts', { category: 'template' })).body).toEqual([]);
  const changed = await api.put(`/api/scripts/${id}`, { content: `echo $NAME \${NEW}`, timeout: 5 });
  expect(changed.body.timeout).toBe(5);
  expect(changed.body.parameters.map((each: { name: string }) => each.name)).toEqual(['NEW', 'NAME']);
  expect((await api.delete(`/api/scripts/${id}`)).status).toBe(204);
  expectRefusal(await api.get(`/api/scripts/${id}`), 404);
  await api.delete(`/api/scripts/${later.id}`);
});

test('runs a test once and shows its output with masked secrets', async () => {
  const { id } = await add({
    name: 'tested',
    content: `echo "$WORD \${A_TOKEN}"; echo err >&2; exit 3`,
    parameters: [{ name: 'WORD' }, { name: 'A_TOKEN', type: 'password', required: true }],
  });
  expectRefusal(await api.post(`/api/scripts/${id}/test`), 400, /A_TOKEN/);
  const values = { WORD: "it's", A_TOKEN: 'sesame-opens' };
  const { body } = await api.post(`/api/scripts/${id}/test`, { parameter_values: values });
  expect(body).toMatchObject({ success: false, exit_code: 3, stdout: "it's ***\n", stderr: 'err\n' });
  const name = await add({ name: 'named', content: 'echo "$BK_UI_REPOSITORY_NAME"; sleep 100' });
  const late = await api.post(`/api/scripts/${name.id}/test`, { repository_id: repository.id, timeout: 1 });
  expect(late.body).toMatchObject({ success: false, exit_code: -1, stdout: 'r\n' });
});

test('tests a text without the environment of the service', async () => {
  const { body } = await api.post('/api/scripts/test', { script: 'env | cut -d= -f1 | sort | xargs' });
  expect(body.success).toBe(true);
  expect(
    body.stdout
      .trim()
      .split(' ')
      .filter((name: string) => !['_', 'PWD', 'SHLVL', 'OLDPWD'].includes(name)),
  ).toEqual(['HOME', 'LANG', 'PATH', 'TMPDIR']);
});

test('ends a test with its request', async () => {
  const { id } = await add({ name: 'endless', content: 'sleep 4744' });
  const running = () => allProcesses().some(({ command }) => command === 'sleep 4744');
  const leaving = new AbortController();
  const asked = fetch(new URL(`/api/scripts/${id}/test`, api.baseUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${api.token}` },
    signal: leaving.signal,
  }).catch(() => 'left');
  await expect.poll(running, { timeout: 60_000 }).toBe(true);
  leaving.abort();
  expect(await asked).toBe('left');
  await expect.poll(running, { timeout: 60_000 }).toBe(false);
});

test('lists and changes attachments in order, and protects attached scripts', async () => {
  const { id } = await add({ name: 'attached', content: 'true' });
  const first = await api.post(attachments(), {
    script_id: id,
    hook_type: 'post-backup',
    execution_order: 2,
  });
  expect(first.body.attachment).toMatchObject({
    script_name: 'attached',
    continue_on_error: true,
    enabled: true,
    custom_timeout: null,
    default_timeout: 300,
    default_run_on: 'always',
    parameter_values: null,
  });
  expectRefusal(await api.post(attachments(), { script_id: id, hook_type: 'post-backup' }), 409);
  const one = `${attachments()}/${first.body.id}`;
  const changed = await api.put(one, { execution_order: 0.5, custom_run_on: 'failure', custom_timeout: 7 });
  expect(changed.body.attachment).toMatchObject({
    execution_order: 0.5,
    custom_run_on: 'failure',
    custom_timeout: 7,
  });
  expect((await user.get(attachments())).body).toMatchObject({
    pre_backup: [],
    post_backup: [{ script_id: id }],
  });
  expectRefusal(await api.delete(`/api/scripts/${id}`), 409, /repository r/);
  expect((await api.get(`/api/scripts/${id}`)).body).toMatchObject({
    usage_count: 1,
    repositories: [{ name: 'r', hook_type: 'post-backup', enabled: true }],
  });
  expect((await api.delete(one)).status).toBe(204);
  expectRefusal(await api.delete(one), 404);
  expect((await api.delete(`/api/scripts/${id}`)).status).toBe(204);
  expect((await api.post('/api/scripts/cleanup-orphans')).body).toMatchObject({
    success: true,
    cleaned_up: 0,
  });
});

describe('bad input', () => {
  test.each([
    ['no name', { content: 'true' }],
    ['a blank name', { name: ' ', content: 'true' }],
    ['a name of 256 characters', { name: 'x'.repeat(256), content: 'true' }],
    ['an empty text', { name: 'a', content: ' \n' }],
    ['NUL in the text', { name: 'a', content: 'echo \0' }],
    ['a text of over 256 KiB', { name: 'a', content: 'x'.repeat(256 * 1024 + 1) }],
    ['no time', { name: 'a', content: 'true', timeout: 0 }],
    ['two days', { name: 'a', content: 'true', timeout: 172_800 }],
    ['an unknown condition', { name: 'a', content: 'true', run_on: 'sometimes' }],
    ['a parameter of the service', { name: 'a', content: 'true', parameters: [{ name: 'BK_UI_JOB_ID' }] }],
    ['a parameter that is no name', { name: 'a', content: 'true', parameters: [{ name: 'A=B' }] }],
    ['a parameter twice', { name: 'a', content: 'true', parameters: [{ name: 'A' }, { name: 'A' }] }],
  ])('%s is refused', async (_what, input) => {
    expectRefusal(await api.post('/api/scripts', input), 400);
  });

  test('values that no parameter may have are refused', async () => {
    const parameters = [{ name: 'VALUE', required: true }];
    const { id } = await add({ name: 'with a value', content: 'true', parameters });
    const attach = (parameter_values: unknown) =>
      api.post(attachments(), { script_id: id, hook_type: 'pre-backup', parameter_values });
    expectRefusal(await attach(undefined), 400, /needs a value for parameter VALUE/);
    expectRefusal(await attach({ VALUE: '' }), 400, /VALUE/);
    expectRefusal(await attach({ VALUE: { a: 1 } }), 400, /VALUE must be a string/);
    expectRefusal(await attach({ VALUE: 'x'.repeat(10_001) }), 400, /10000/);
    expectRefusal(await attach({ VALUE: 'a\0b' }), 400, /NUL/);
    expect((await attach({ VALUE: 5 })).body.attachment.parameter_values).toEqual({ VALUE: '5' });
  });

  test('refuses unknown ids, taken names and other users', async () => {
    const { id } = await add({ name: 'taken', content: 'true' });
    expectRefusal(await api.post('/api/scripts', { name: 'taken', content: 'true' }), 409);
    for (const path of ['/api/scripts/99999', `${attachments()}/99999`]) {
      expectRefusal(await api.put(path, {}), 404);
      expectRefusal(await api.delete(path), 404);
    }
    expectRefusal(await api.get('/api/repositories/99999/scripts'), 404);
    expectRefusal(await api.post(attachments(), { script_id: 99_999, hook_type: 'pre-backup' }), 404);
    expectRefusal(await api.post(attachments(), { script_id: id, hook_type: 'never' }), 400);
    expectRefusal(await api.get('/api/scripts/abc'), 400);
    for (const path of ['/api/scripts', '/api/scripts/test', `/api/scripts/${id}/test`, attachments()]) {
      expectRefusal(await user.post(path, { script: 'id', name: 'x', content: 'id' }), 403);
    }
    const schedule = { name: 's', cron_expression: '0 0 1 1 *', repository_ids: [repository.id] };
    const values = { pre_backup_script_parameters: { A: 'b' } };
    expectRefusal(
      await api.post('/api/schedule/', { ...schedule, pre_backup_script_id: 99_999 }),
      400,
      /99999/,
    );
    expectRefusal(await api.post('/api/schedule/', { ...schedule, ...values }), 400, /pre_backup_script_id/);
  });
});
