import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, type RunningService, runService } from './running-service.js';

const password = 'a password for this test';
let running: RunningService;
let token: string;

beforeAll(async () => {
  running = await runService({ INITIAL_ADMIN_PASSWORD: password, HOLDFAST_VALIDATE_RESPONSES: '1' });
  token = await logIn(running, password);
});
afterAll(() => running.end());

async function call(method: string, path: string, { json, ...headers }: Record<string, unknown> = {}) {
  const answer = await running.call(path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(headers as Record<string, string>),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    etag: answer.headers.get('etag') ?? '',
    replayed: answer.headers.get('idempotency-replayed'),
    retryAfter: answer.headers.get('retry-after'),
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
    body: (text === '' ? undefined : JSON.parse(text)) as any,
  };
}
const key = (name: string) => ({ 'idempotency-key': name });
const script = (name: string) => ({ name, content: 'true\n' });

describe('Idempotency-Key', () => {
  test('repeats the first response for the same request of the same user', async () => {
    const first = await call('POST', '/api/scripts', { json: script('one'), ...key('a') });
    const again = await call('POST', '/api/scripts/', { json: script('one'), ...key('a') });
    expect([first.status, first.replayed]).toEqual([201, null]);
    expect(again).toEqual({ ...first, replayed: 'true' });
    const other = await call('POST', '/api/scripts', { json: script('two'), ...key('a') });
    expect([other.status, other.retryAfter]).toEqual([409, null]);
    expect(other.body.detail).toMatch(/different URL or body/);
    const elsewhere = await call('POST', '/api/auth/tokens', { json: { name: 't' }, ...key('a') });
    expect([elsewhere.status, elsewhere.replayed]).toEqual([201, null]);
  });

  test('runs concurrent requests with the same key once', async () => {
    const send = () => call('POST', '/api/scripts', { json: script('many'), ...key('many') });
    const answers = await Promise.all(Array.from({ length: 15 }, send));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    for (const { status, retryAfter } of answers) {
      if (status === 201) continue;
      expect([status, Number(retryAfter) > 0]).toEqual([409, true]);
    }
    expect((await send()).replayed).toBe('true');
  });

  test('repeats the response with a secret and creates only one token', async () => {
    const send = () => call('POST', '/api/auth/tokens', { json: { name: 'again' }, ...key('token') });
    const first = await send();
    expect((await send()).body).toEqual(first.body);
    const { body } = await call('GET', '/api/auth/tokens');
    expect(body.tokens.filter(({ name }: { name: string }) => name === 'again')).toHaveLength(1);
  });

  test('stores failures that a retry would repeat, but never bad input', async () => {
    const taken = () => call('POST', '/api/scripts', { json: script('one'), ...key('taken') });
    const [first, again] = [await taken(), await taken()];
    expect([first.status, first.replayed, again.replayed]).toEqual([409, null, 'true']);
    expect(again.body).toEqual(first.body);
    const bad = await call('POST', '/api/scripts', { json: { name: '' }, ...key('bad') });
    expect(bad.status).toBe(400);
    expect((await call('POST', '/api/scripts', { json: script('good'), ...key('bad') })).status).toBe(201);
  });

  test.each([' ', 'a b', 'ä', 'x'.repeat(256)])('400 for the key %j', async (name) => {
    const bytes = Buffer.from(name).toString('latin1');
    const answer = await call('POST', '/api/scripts', { json: script('never'), ...key(bytes) });
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/idempotency-key must be 1 to 255 visible ASCII/i);
  });

  test('accepts a key of 255 characters and ignores it where nothing is created', async () => {
    const long = key('~'.repeat(255));
    expect((await call('POST', '/api/scripts', { json: script('long'), ...long })).status).toBe(201);
    const test = { json: { script: 'echo once' }, ...key('t') };
    expect((await call('POST', '/api/scripts/test', test)).replayed).toBeNull();
    expect((await call('POST', '/api/scripts/test', test)).replayed).toBeNull();
  });
});

describe('ETag', () => {
  const objects = async () => {
    const user = { username: 'edited', password: 'a long password 1', is_admin: false };
    const people = await call('POST', '/api/auth/users', { json: user });
    const made = await call('POST', '/api/scripts', { json: script('edited') });
    const url = { name: 'n', service_url: 'json://127.0.0.1:9/x' };
    const setting = await call('POST', '/api/notifications', { json: url });
    const ssh = await call('POST', '/api/ssh-keys/generate', { json: { name: 'k', key_type: 'ed25519' } });
    return [
      [`/api/auth/users/${people.body.id}`, { email: 'new@example.org' }],
      [`/api/scripts/${made.body.id}`, { description: 'new' }],
      [`/api/notifications/${setting.body.id}`, { name: 'new' }],
      [`/api/ssh-keys/${ssh.body.ssh_key.id}`, { name: 'new' }],
      ['/api/settings/cache', { ttl_seconds: 60 }],
    ] as const;
  };

  test('is checked on each kind: unchanged, edited, outdated', async () => {
    for (const [path, json] of await objects()) {
      const { etag, status, body } = await call('GET', path);
      expect([path, status, etag]).toEqual([path, 200, expect.stringMatching(/^"[\w-]{33}"$/)]);
      const same = await call('GET', path, { 'if-none-match': etag });
      expect([path, same.status, same.etag, same.body]).toEqual([path, 304, etag, undefined]);
      const edited = await call('PUT', path, { json, 'if-match': `"other", ${etag}` });
      expect([path, edited.status]).toEqual([path, 200]);
      const after = await call('GET', path, { 'if-none-match': etag });
      expect([path, after.status]).toEqual([path, 200]);
      expect([path, edited.etag]).toEqual([path, after.etag]);
      expect(after.body).not.toEqual(body);
      const late = await call('PUT', path, { json: {}, 'if-match': etag });
      expect([path, late.status]).toEqual([path, 412]);
      expect(late.body.detail).toMatch(/changed since you read it/);
      expect((await call('GET', path)).body).toEqual(after.body);
      expect(late.etag).toBe('');
      const next = await call('PUT', path, { json, 'if-match': edited.etag });
      expect([path, next.status]).toEqual([path, 200]);
      expect((await call('PUT', path, { json, 'if-match': '*' })).status).toBe(200);
      const unasked = await call('PUT', path, { json });
      expect([path, unasked.etag]).toEqual([path, (await call('GET', path)).etag]);
      if (path === '/api/settings/cache') continue;
      expect((await call('DELETE', path, { 'if-match': etag })).status).toBe(412);
      const now = await call('GET', path);
      expect([200, 204]).toContain((await call('DELETE', path, { 'if-match': now.etag })).status);
      expect((await call('PUT', path, { json, 'if-match': now.etag })).status).toBe(404);
    }
  });

  test('is returned by changes to repositories, schedules, checks and their parts', async () => {
    const folder = running.dataDirectory;
    const repository = { name: 'tagged', path: `${folder}/tagged`, encryption: 'none', mode: 'observe' };
    const made = await call('POST', '/api/repositories/', { json: repository });
    expect([made.status, made.body]).toEqual([201, expect.anything()]);
    const { id } = made.body.repository;
    const one = await call('POST', '/api/scripts', { json: script('attached') });
    const attachment = await call('POST', `/api/repositories/${id}/scripts`, {
      json: { script_id: one.body.id, hook_type: 'pre-backup' },
    });
    expect([attachment.status, attachment.body]).toEqual([201, expect.anything()]);
    const full = { ...repository, name: 'full', path: `${folder}/full`, mode: 'full' };
    const source = { ...full, source_directories: ['/usr/share/doc'] };
    const other = (await call('POST', '/api/repositories/', { json: source })).body.repository;
    const schedule = { name: 's', cron_expression: '0 2 * * *', repository_ids: [other.id], enabled: false };
    const job = await call('POST', '/api/schedule/', { json: schedule });
    expect([job.status, job.body]).toEqual([201, expect.anything()]);
    const changes = [
      [`/api/repositories/${id}`, { name: 'renamed' }],
      [`/api/repositories/${id}/scripts/${attachment.body.id}`, { execution_order: 3 }],
      [`/api/repositories/${other.id}/check-schedule`, { cron_expression: '0 3 * * *' }],
      [`/api/schedule/${job.body.job.id}`, { description: 'new' }],
    ] as const;
    for (const [path, json] of changes) {
      const changed = await call('PUT', path, { json });
      expect([path, changed.status, changed.etag]).toEqual([path, 200, expect.stringMatching(/^"/)]);
      expect([path, (await call('GET', path)).etag]).toEqual([path, changed.etag]);
    }
  });

  test('lets only one of many edits of the same version through', async () => {
    const { body } = await call('POST', '/api/scripts', { json: script('contended') });
    const path = `/api/scripts/${body.id}`;
    const { etag } = await call('GET', path);
    const edits = Array.from({ length: 12 }, (_, n) =>
      call('PUT', path, { json: { description: `edit ${n}` }, 'if-match': etag }),
    );
    const answers = await Promise.all(edits);
    const through = answers.filter(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(412)]);
    expect((await call('GET', path)).body.description).toBe(through[0]?.body.description);
  });

  test('answers 400 to an invalid tag, 412 without tags, 401 to anonymous callers', async () => {
    const path = '/api/settings/cache';
    expect((await call('PUT', path, { json: {}, 'if-match': 'abc' })).status).toBe(400);
    const { body } = await call('POST', '/api/auth/tokens', { json: { name: 'x' } });
    const its = `/api/auth/tokens/${body.token.id}`;
    expect((await call('DELETE', its, { 'if-match': '"x"' })).status).toBe(412);
    expect((await call('DELETE', its, { 'if-match': '*' })).status).toBe(200);
    const nobody = await running.call(path, { method: 'PUT', headers: { 'if-match': '"x"' } });
    expect(nobody.status).toBe(401);
  });
});
