import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '../src/http/docs/openapi.js';
import { logIn, type RunningService, runService } from './running-service.js';

interface Header {
  $ref?: string;
  required?: boolean;
  schema: { type: string; pattern?: string; enum?: string[] };
}
interface Answer {
  $ref?: string;
  headers: Record<string, Header>;
}

const document = (await openApiDocument()) as {
  paths: Record<string, Record<string, { responses: Record<string, Answer> }>>;
  components: { responses: Record<string, Answer>; headers: Record<string, Header> };
};
const last = (reference = '') => reference.split('/').at(-1) ?? '';

/** The headers that the document promises, by their names in lower case. */
function declared(method: string, path: string, status: number): Map<string, Header> {
  const found = document.paths[path]?.[method.toLowerCase()]?.responses[status] as Answer;
  const { headers } = found.$ref ? (document.components.responses[last(found.$ref)] as Answer) : found;
  const entries = Object.entries(headers).map(([name, header]) => {
    const component = document.components.headers[last(header.$ref)];
    expect(component, `${name} of ${path}`).toBeDefined();
    return [name.toLowerCase(), component as Header] as const;
  });
  return new Map(entries);
}

/** Of the protocol, of the body, and of the protection of browsers. */
const ofAll =
  /^(content-(type|length|security-policy)|cache-control|date|connection|keep-alive|transfer-encoding|vary|referrer-policy|origin-agent-cluster|cross-origin-.*|x-(content|dns|download|frame|permitted|xss)-.*|strict-transport-security)$/;

/** What is wrong with the headers of an answer, by the document. */
function faults(answer: Response, promised: Map<string, Header>): string[] {
  const undeclared = [...answer.headers.keys()].filter((name) => !ofAll.test(name) && !promised.has(name));
  const wrong = [...promised].filter(([name, { required, schema }]) => {
    const value = answer.headers.get(name);
    if (value === null) return required === true;
    if (schema.type === 'integer') return !/^[1-9]\d*$/.test(value);
    return (
      !new RegExp(schema.pattern ?? '').test(value) ||
      (schema.enum !== undefined && !schema.enum.includes(value))
    );
  });
  return [
    ...undeclared.map((name) => `${name} is not declared`),
    ...wrong.map(([name]) => `${name} is wrong`),
  ];
}

const password = 'a password for this test';
let running: RunningService;
let token: string;
beforeAll(async () => {
  running = await runService({ INITIAL_ADMIN_PASSWORD: password });
  token = await logIn(running, password);
});
afterAll(() => running.end());

test('answers have the headers that the document declares, and no others', async () => {
  const authorization = `Bearer ${token}`;
  const make = (name: string, key: string) => ({
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ name, content: 'true\n' }),
  });
  const read = (more: object = {}) => ({ method: 'GET', headers: { authorization, ...more } });
  const change = (body: object, more: object = {}) => ({
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  });
  const one = '/api/scripts/{script_id}';
  const seen: string[] = [];
  const look = async (status: number, path: string, init: RequestInit, wanted: string[] = []) => {
    const answer = await running.call(path.replace('{script_id}', '1'), init);
    await answer.arrayBuffer();
    const promised = declared(init.method ?? 'GET', path, answer.status);
    seen.push(...promised.keys());
    expect([path, answer.status, faults(answer, promised)]).toEqual([path, status, []]);
    expect([...answer.headers.keys()]).toEqual(expect.arrayContaining(wanted));
    return answer;
  };

  await look(201, '/api/scripts', make('one', 'a'));
  await look(201, '/api/scripts', make('one', 'a'), ['idempotency-replayed']);
  await look(409, '/api/scripts', make('one', 'b'));
  await look(409, '/api/scripts', make('one', 'b'), ['idempotency-replayed']);
  await look(400, '/api/scripts', make('', 'c'));
  const shown = await look(200, one, read(), ['etag']);
  const etag = shown.headers.get('etag') ?? '';
  await look(304, one, read({ 'if-none-match': etag }), ['etag']);
  await look(200, one, change({ description: 'new' }), ['etag']);
  await look(412, one, change({ description: 'newer' }, { 'if-match': etag }));
  await look(401, one, { method: 'GET' }, ['www-authenticate']);
  await look(200, '/health', { method: 'GET' });
  const wrong = { method: 'POST', body: new URLSearchParams({ username: 'admin', password: 'wrong' }) };
  let refused = await running.call('/api/auth/login', wrong);
  while (refused.status === 401) refused = await running.call('/api/auth/login', wrong);
  await look(429, '/api/auth/login', wrong, ['retry-after']);
  expect([...new Set(seen)].sort()).toEqual([
    'etag',
    'holdfast-version',
    'idempotency-replayed',
    'retry-after',
    'www-authenticate',
    'x-request-id',
  ]);
});

const ofEvery = ['x-request-id', 'holdfast-version'];

test('documents names of files and headers of errors', () => {
  const names = (method: string, path: string, status: number) => [...declared(method, path, status).keys()];
  expect(names('GET', '/api/archives/download', 200)).toContain('content-disposition');
  expect(names('GET', '/api/events', 200)).toEqual(ofEvery);
  expect(names('PUT', '/api/repositories/{repo_id}', 200)).toEqual([...ofEvery, 'etag']);
  expect(names('DELETE', '/api/repositories/{repo_id}', 200)).not.toContain('etag');
  expect(names('GET', '/api/repositories/', 503)).toEqual([...ofEvery, 'retry-after']);
  expect(names('GET', '/api/repositories/', 405)).toEqual([...ofEvery, 'allow']);
  expect(names('POST', '/api/backup/start', 409)).toEqual([
    ...ofEvery,
    'idempotency-replayed',
    'retry-after',
  ]);
});
