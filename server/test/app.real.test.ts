import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn, type RunningService, runService } from './running-service.js';

const password = 'a password for this test';
let running: RunningService;
let token: string;

beforeAll(async () => {
  running = await runService({
    INITIAL_ADMIN_PASSWORD: password,
    CORS_ORIGINS: 'https://ui.example.org,http://localhost:3000',
  });
  token = await logIn(running, password);
});
afterAll(() => running.end());

const detailOf = async (answer: Response) => ((await answer.json()) as { detail: string }).detail;
const post = (path: string, body: string | Uint8Array, type = 'application/json') =>
  running.call(path, {
    method: 'POST',
    body,
    headers: { 'content-type': type, authorization: `Bearer ${token}` },
  });

test('returns root, health and system info', async () => {
  expect(await (await running.call('/health')).json()).toEqual({
    status: 'healthy',
    service: 'holdfast',
    ready: true,
    degraded: [],
    degraded_codes: [],
    notices: [],
  });
  expect(await (await running.call('/api/')).json()).toEqual({
    name: 'Holdfast',
    version: '1.64.1',
    server_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    docs: '/api/docs',
    status: 'running',
  });
  expect(await (await running.call('/api/system/info')).json()).toEqual({
    app_version: '1.64.1',
    bk_version: expect.stringMatching(/^borg \d+\.\d+\.\d+/),
    server_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});

test('shows plugins to administrators only', async () => {
  expect((await running.call('/api/plugins')).status).toBe(401);
  const answer = await running.call('/api/plugins', { headers: { authorization: `Bearer ${token}` } });
  const { plugins } = (await answer.json()) as {
    plugins: { id: string; from: string; chosen: boolean; healthy: boolean | null; capabilities: string[] }[];
  };
  const chosen = plugins.filter((plugin) => plugin.chosen);
  expect(chosen.map(({ id, from, healthy }) => [id, from, healthy]).sort()).toEqual([
    ['borg', 'built-in', true],
    ['borgmatic', 'built-in', true],
    ['container', 'built-in', true],
    ['discord', 'built-in', true],
    ['embedded', 'built-in', true],
    ['gotify', 'built-in', true],
    ['mail', 'built-in', true],
    ['memory', 'built-in', true],
    ['mongodb', 'built-in', true],
    ['mysql', 'built-in', true],
    ['ntfy', 'built-in', true],
    ['postgresql', 'built-in', true],
    ['pushover', 'built-in', true],
    ['slack', 'built-in', true],
    ['snapshot', 'built-in', true],
    // The storage and the source.
    ['sqlite', 'built-in', true],
    ['sqlite', 'built-in', true],
    ['telegram', 'built-in', true],
    ['webhook', 'built-in', true],
  ]);
  expect(plugins.find(({ id }) => id === 'redis')).toMatchObject({ chosen: false, healthy: null });
  expect(plugins.find(({ id }) => id === 'borg')?.capabilities).toContain('createArchive');
});

test.each(['/nope', '/api/nope', '/', '/api/docs/nope', '/api/auth/users/1/2'])('404 at %s', async (path) => {
  const answer = await running.call(path);
  expect(answer.status).toBe(404);
  expect(await detailOf(answer)).toContain(path);
});

test.each([
  ['DELETE', '/health', 'GET, HEAD, OPTIONS'],
  ['PUT', '/api/auth/users', 'GET, HEAD, OPTIONS, POST'],
  ['GET', '/api/backup/start/', 'OPTIONS, POST'],
  ['PATCH', '/api/auth/users/1', 'DELETE, GET, HEAD, OPTIONS, PUT'],
])('405 for %s %s', async (method, path, allow) => {
  const answer = await running.call(path, { method });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe(allow);
  expect(await detailOf(answer)).toContain(method);
});

test('answers OPTIONS with the allowed methods and HEAD without a body', async () => {
  const options = await running.call('/health', { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  const head = await running.call('/health', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('answers 400 to invalid JSON, 415 to other media types, 413 to large bodies', async () => {
  expect((await post('/api/backup/start', '{"repository":')).status).toBe(400);
  expect((await post('/api/backup/start', 'repository=x', 'text/plain')).status).toBe(415);
  expect((await post('/api/backup/start', 'a=b', 'application/x-www-form-urlencoded')).status).toBe(415);
  expect((await post('/api/backup/start', '{}', 'application/json; charset=latin9')).status).toBe(415);
  const large = await post('/api/backup/start', JSON.stringify({ repository: 'x'.repeat(1_100_000) }));
  expect(large.status).toBe(413);
  expect(await detailOf(large)).toMatch(/1 MB/);
});

test.each([
  'null',
  '[]',
  '7',
  '"text"',
  '{}',
  '{"repository": 1.5}',
  '{"repository": {}}',
  '{"__proto__": {}}',
])('answers 400 with a sentence and a list to a body %s', async (body) => {
  const answer = await post('/api/backup/start', body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    code: 'fields_invalid',
    detail: expect.stringMatching(/^(The body|[a-z_]+) .*\.$/),
    errors: [{ path: expect.any(String), message: expect.any(String) }],
  });
});

test.each(['abc', '0', '-1', '9007199254740993', '1e2', '%00', '1.0', ' 1'])('rejects id %s', async (id) => {
  const answer = await running.call(`/api/backup/status/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(400);
});

test('answers 400 to an invalid URL', async () => {
  const answer = await running.call('/api/backup/status/%E0%A4', {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([answer.status, await detailOf(answer)]).toEqual([400, expect.any(String)]);
});

test('accepts an upload as a form with one file of at most 64 KB', async () => {
  const upload = (body: FormData | string) =>
    running.call('/api/repositories/1/keyfile', {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${token}` },
    });
  const form = (part: string, size: number) => {
    const data = new FormData();
    data.append(part, new Blob(['x'.repeat(size)]), 'key');
    return data;
  };
  expect((await upload(form('keyfile', 65_537))).status).toBe(413);
  expect((await upload(form('keyfile', 65_536))).status).toBe(404);
  expect(await detailOf(await upload(form('other', 1)))).toContain('"keyfile"');
  expect((await upload(new FormData())).status).toBe(400);
  expect((await upload('text')).status).toBe(415);
});

test('reveals nothing about a body to anonymous callers', async () => {
  const answer = await running.call('/api/backup/start', {
    method: 'POST',
    body: '{',
    headers: { 'content-type': 'x/y' },
  });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
});

test('takes other names of routes, and a second header for the token', async () => {
  const bearer = { 'x-bk-authorization': `Bearer ${token}`, authorization: 'Basic b3RoZXI6eA==' };
  const json = { ...bearer, 'content-type': 'application/json' };
  const statusOf = async (method: string, path: string, headers: Record<string, string> = json) =>
    (await running.call(path, { method, headers, ...(method === 'GET' ? {} : { body: '{}' }) })).status;
  const expected = [
    ['POST', '/api/backup/run', 400],
    ['GET', '/api/operations/7', 404],
    ['GET', '/api/operations/7/?x=1', 404],
    ['GET', '/api/operations/x', 400],
    ['DELETE', '/api/operations/7', 405],
    ['GET', '/api/operations/7/log', 404],
    ['POST', '/api/repositories/7/restore-check', 404],
    ['GET', '/api/repositories/7/restore-check-schedule', 404],
    ['PUT', '/api/repositories/7/restore-check-schedule', 404],
  ] as const;
  for (const [method, path, status] of expected) {
    expect([method, path, await statusOf(method, path)]).toEqual([method, path, status]);
  }
  expect(await statusOf('GET', '/api/operations/7', { authorization: bearer.authorization })).toBe(401);
  expect(await statusOf('GET', '/api/operations/7', { ...bearer, 'x-bk-authorization': 'Basic eA==' })).toBe(
    401,
  );
  const { detail } = (await (await running.call('/api/operations/7', { headers: bearer })).json()) as never;
  expect(detail).toContain('job 7');
});

test('tags the summary by its content, and opens nothing else to its tokens', async () => {
  const made = await running.call('/api/auth/tokens', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'widget', summary_only: true }),
  });
  const { access_token } = (await made.json()) as { access_token: string };
  const read = (path: string, headers = {}) =>
    running.call(path, { headers: { authorization: `Bearer ${access_token}`, ...headers } });
  const first = await read('/api/status/summary');
  expect(await first.json()).toMatchObject({ success: true, state: 'empty', repositories: 0 });
  const tag = first.headers.get('etag') ?? '';
  expect((await read('/api/status/summary', { 'if-none-match': tag })).status).toBe(304);
  expect((await read('/api/status/summary', { 'if-none-match': '"other"' })).status).toBe(200);
  for (const path of ['/api/overview', '/api/auth/me', '/api/jobs', '/api/events']) {
    const refused = await read(path);
    expect([path, refused.status, await detailOf(refused)]).toEqual([
      path,
      403,
      expect.stringContaining('/api/status/summary'),
    ]);
  }
});

test('keeps a harmless request id and replaces others', async () => {
  const given = await running.call('/health', { headers: { 'x-request-id': 'trace-7:a' } });
  expect(given.headers.get('x-request-id')).toBe('trace-7:a');
  for (const bad of ['two words', '<script>', 'x'.repeat(129)]) {
    const made = await running.call('/nope', { headers: { 'x-request-id': bad } });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('lets only the configured origins read responses', async () => {
  const from = (origin: string, method = 'GET') => running.call('/health', { method, headers: { origin } });
  const allowed = await from('https://ui.example.org');
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://ui.example.org');
  expect(allowed.headers.get('vary')).toContain('Origin');
  for (const other of ['https://evil.example.org', 'http://ui.example.org', 'null']) {
    expect((await from(other)).headers.get('access-control-allow-origin')).toBeNull();
  }
  const preflight = await running.call('/api/backup/start', {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
});

test('answers 400 in its own format to invalid HTTP', async () => {
  const { hostname, port } = new URL(running.service.url);
  const socket = connect(Number(port), hostname);
  socket.end('NONSENSE\r\n\r\n');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 400 [\s\S]*"detail"/);
});

test('ignores If-None-Match with any tag on a response without one', async () => {
  const answer = await running.call('/health', { headers: { 'if-none-match': '*' } });
  expect([answer.status, (await answer.text()).length > 0]).toEqual([200, true]);
});

test('sends the headers of helmet', async () => {
  const { headers } = await running.call('/health');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('cache-control')).toBe('no-store');
});
