import type { RouteMetadata } from '@holdfast/contracts';
import { initContract } from '@ts-rest/core';
import { expect, test } from 'vitest';
import { promisedKind, type TrailEntry, walkAudit } from './audit-walk.js';
import { routesOf } from './contract-routes.js';
import { startSmallService } from './small-service.js';

const c = initContract();
const metadata = (more: Partial<RouteMetadata> = {}): RouteMetadata => ({
  access: { who: 'any' },
  tag: 'seeded',
  ...more,
});
const things = c.router({
  look: { method: 'GET', path: '/things/:id', responses: {}, metadata: metadata() },
  take: {
    method: 'GET',
    path: '/things/:id/file',
    responses: {},
    metadata: metadata({ download: { contentType: 'text/plain' } }),
  },
  reveal: {
    method: 'GET',
    path: '/things/:id/secret',
    responses: {},
    metadata: metadata({ audit: 'secret' }),
  },
  write: { method: 'PUT', path: '/things/:id', body: c.type(), responses: {}, metadata: metadata() },
  login: {
    method: 'POST',
    path: '/login',
    body: c.type(),
    responses: {},
    metadata: metadata({ access: { who: 'public' }, audit: 'login' }),
  },
});
const routes = routesOf(things);
const operationOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const visitors = [
  { name: 'admin', username: 'admin', admin: true, token: async () => 'token-of-admin' },
  { name: 'nobody', username: null, token: async () => null },
];

/** A service that notes what it promises, but where `fault` makes other entries of the right ones. */
async function findingsWith(fault: (entries: TrailEntry[]) => TrailEntry[]): Promise<string[]> {
  const trail: TrailEntry[] = [];
  const service = await startSmallService(({ method = '', url = '', headers }) => {
    const { pathname } = new URL(url, 'http://x');
    const path = pathname.replace(/\d+/, ':id');
    const route = routes.find((each) => each.method === method && each.path === path);
    if (!route) throw new Error(`no route ${method} ${path}`);
    const known = headers.authorization !== undefined;
    const status = known ? 200 : 401;
    const kind = promisedKind(route);
    const entry = {
      request_id: `${headers['x-request-id']}`,
      kind: kind ?? '',
      action: operationOf(route),
      status,
      username: known && kind !== 'login' ? 'admin' : null,
      address: '127.0.0.1',
      object_id: /\d+/.exec(pathname)?.[0] ?? null,
    };
    trail.push(...fault(kind === null ? [] : [entry]));
    return { status };
  });
  try {
    const ground = { base: service.base, routes, visitors, operationOf, valueFor: () => '9' };
    return await walkAudit({ ...ground, entries: async () => trail });
  } finally {
    await service.end();
  }
}

const when = (action: string, change: (entry: TrailEntry) => TrailEntry[]) => (entries: TrailEntry[]) =>
  entries.flatMap((entry) => (entry.action === action && entry.status === 200 ? change(entry) : [entry]));

test('passes a service that records everything', async () => {
  expect(await findingsWith((entries) => entries)).toEqual([]);
});

test.each<[string, (entries: TrailEntry[]) => TrailEntry[], string[]]>([
  [
    'a change that leaves nothing',
    when('PUT /things/:id', () => []),
    ['PUT /things/:id, admin: 0 entries instead of 1'],
  ],
  [
    'a change that is noted twice',
    when('PUT /things/:id', (entry) => [entry, entry]),
    ['PUT /things/:id, admin: 2 entries instead of 1'],
  ],
  [
    'a download that leaves nothing',
    when('GET /things/:id/file', () => []),
    ['GET /things/:id/file, admin: 0 entries instead of 1'],
  ],
  [
    'a secret that is shown to nobody’s knowledge',
    when('GET /things/:id/secret', () => []),
    ['GET /things/:id/secret, admin: 0 entries instead of 1'],
  ],
  [
    'a login that is noted as a change',
    when('POST /login', (entry) => [{ ...entry, kind: 'change' }]),
    ['POST /login, admin: kind change, not login'],
  ],
  [
    'an entry with another status than the answer',
    when('PUT /things/:id', (entry) => [{ ...entry, status: 204 }]),
    ['PUT /things/:id, admin: status 204, not 200'],
  ],
  [
    'an entry about another object',
    when('PUT /things/:id', (entry) => [{ ...entry, object_id: '1' }]),
    ['PUT /things/:id, admin: object_id 1, not 9'],
  ],
  [
    'an entry of somebody else',
    when('PUT /things/:id', (entry) => [{ ...entry, username: 'mira' }]),
    ['PUT /things/:id, admin: username mira, not admin'],
  ],
  [
    'an entry of another operation',
    when('PUT /things/:id', (entry) => [{ ...entry, action: 'other' }]),
    ['PUT /things/:id, admin: action other, not PUT /things/:id'],
  ],
  [
    'an entry that holds a token',
    when('PUT /things/:id', (entry) => [{ ...entry, url: '?token=token-of-admin' } as TrailEntry]),
    ['PUT /things/:id, admin: it holds the token'],
  ],
  [
    'refused calls that leave nothing',
    (entries) => entries.filter(({ status }) => status !== 401),
    routes.filter(promisedKind).map(({ name }) => `${name}, nobody: 0 entries instead of 1`),
  ],
])('finds %s', async (_what, fault, expected) => {
  expect(await findingsWith(fault)).toEqual(expected.sort());
});

test('finds an entry for a call that changes nothing', async () => {
  const entry = { kind: 'change', action: 'look', status: 200, username: 'admin', address: '127.0.0.1' };
  const ground = { base: '', routes, visitors, operationOf, valueFor: () => '9' };
  const service = await startSmallService(({ headers }) => {
    trail.push({ ...entry, request_id: `${headers['x-request-id']}`, object_id: '9' });
    return { status: 200 };
  });
  const trail: TrailEntry[] = [];
  const looks = routes.filter(({ path, method }) => path === '/things/:id' && method === 'GET');
  const findings = await walkAudit({
    ...ground,
    base: service.base,
    routes: looks,
    entries: async () => trail,
  }).finally(() => service.end());
  expect(findings).toEqual([
    'GET /things/:id, admin: 1 entries instead of 0',
    'GET /things/:id, nobody: 1 entries instead of 0',
  ]);
});
