import type { Access, RouteMetadata } from '@holdfast/contracts';
import { initContract } from '@ts-rest/core';
import { describe, expect, test } from 'vitest';
import { routesOf } from './contract-routes.js';
import { promised, type Visitor } from './judge-access.js';
import { type SmallAnswer, startSmallService } from './small-service.js';
import { nowhere, walkAccess } from './walk-access.js';
import { walkHidden } from './walk-hidden.js';

const c = initContract();
const may = (access: Access): RouteMetadata => ({ access, tag: 'seeded' });
const things = c.router({
  look: { method: 'GET', path: '/things/:id', responses: {}, metadata: may({ who: 'any' }) },
  link: {
    method: 'GET',
    path: '/things/:id/download',
    responses: {},
    metadata: may({ who: 'any', tokenInQuery: true }),
  },
  write: { method: 'PUT', path: '/things/:id', body: c.type(), responses: {}, metadata: may({ who: 'any' }) },
  remove: { method: 'DELETE', path: '/things/:id', responses: {}, metadata: may({ who: 'admin' }) },
  open: { method: 'GET', path: '/open', responses: {}, metadata: may({ who: 'public' }) },
});

const visitor = (name: string, more: Omit<Visitor, 'name' | 'credentials'>): Visitor => ({
  name,
  ...more,
  credentials: () =>
    more.inQuery ? { query: `token=${name}` } : { headers: { authorization: `Bearer ${name}` } },
});
const visitors = [
  visitor('stranger', { standing: 'nobody' }),
  visitor('user', { standing: 'user' }),
  visitor('reader', { standing: 'admin', readOnly: true }),
  visitor('link', { standing: 'user', inQuery: true }),
  visitor('admin', { standing: 'admin' }),
];

interface Knock {
  method: string;
  path: string;
  visitor: Visitor;
  exists: boolean;
}

/** A service that keeps every promise of `things`, but where `fault` answers otherwise. */
async function findingsWith(fault: (knock: Knock) => SmallAnswer | undefined, contract = things) {
  const service = await startSmallService(({ method = '', url = '', headers }) => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    const brought = searchParams.get('token') ?? headers.authorization?.replace('Bearer ', '');
    const who = visitors.find(({ name }) => name === brought);
    if (!who) throw new Error('an unknown visitor');
    const knock = { method, path: pathname, visitor: who, exists: !pathname.includes(nowhere) };
    return fault(knock) ?? rightAnswer(knock);
  });
  try {
    const ground = { base: service.base, routes: routesOf(contract), visitors, existing: () => '1' };
    return await walkAccess(ground);
  } finally {
    await service.end();
  }
}

function rightAnswer({ method, path, visitor: who, exists }: Knock): SmallAnswer {
  const found = routesOf(things).find(
    (route) => route.method === method && new RegExp(`^${route.path.replace(':id', '\\d+')}$`).test(path),
  );
  const access = found?.metadata?.access;
  const status = access && found ? promised({ method, path: found.path, access }, who) : 404;
  if (status === 401) return { status, headers: { 'www-authenticate': 'Bearer' } };
  return { status: status === 'in' ? (exists ? 200 : 404) : status };
}

test('passes a sound service', async () => {
  expect(await findingsWith(() => undefined)).toEqual([]);
});

test('finds a route without an access rule', async () => {
  const silent = {
    ...things,
    more: { deep: { method: 'POST', path: '/silent', body: null, responses: {} } },
  };
  const noAccess = { ...things, odd: { ...things.look, metadata: { tag: 'seeded' } } };
  expect(await findingsWith(() => undefined, silent as unknown as typeof things)).toEqual([
    'POST /silent does not say in its metadata who may call it',
  ]);
  expect(await findingsWith(() => undefined, noAccess as unknown as typeof things)).toEqual([
    'GET /things/:id does not say in its metadata who may call it',
  ]);
});

test.each<[string, (knock: Knock) => SmallAnswer | undefined, string[]]>([
  [
    'a guard that takes every user for an administrator',
    ({ method, visitor: { name } }) => (method === 'DELETE' && name === 'user' ? { status: 404 } : undefined),
    ['DELETE /things/:id, user: 404 instead of 403'],
  ],
  [
    'a token that may only read, and writes',
    ({ method, visitor: { name } }) => (method === 'PUT' && name === 'reader' ? { status: 400 } : undefined),
    ['PUT /things/:id, reader: 400 instead of 403'],
  ],
  [
    'a wrong token that opens one route',
    ({ path, visitor: { standing } }) =>
      path.endsWith('download') && standing === 'nobody' ? { status: 200 } : undefined,
    ['GET /things/:id/download, stranger: 200 instead of 401'],
  ],
  [
    'a token that is taken from any query',
    ({ method, path, visitor: { inQuery } }) =>
      method === 'GET' && inQuery && path.startsWith('/things') ? { status: 404 } : undefined,
    ['GET /things/:id, link: 404 instead of 401'],
  ],
  [
    'a refusal that tells what exists',
    ({ method, visitor: { name }, exists }) =>
      method === 'DELETE' && name === 'user' ? { status: 403, body: { detail: `${exists}` } } : undefined,
    ['DELETE /things/:id, user: the answer tells whether the object exists'],
  ],
  [
    'a 404 that comes before the 403',
    ({ method, visitor: { name }, exists }) =>
      method === 'DELETE' && name === 'reader' && exists ? { status: 404 } : undefined,
    ['DELETE /things/:id, reader: the answer tells whether the object exists'],
  ],
  [
    'an administrator who is kept out',
    ({ method, visitor: { name } }) => (method === 'PUT' && name === 'admin' ? { status: 403 } : undefined),
    ['PUT /things/:id, admin: 403, but they may call it'],
  ],
  [
    'a public route behind the guard',
    ({ path, visitor: { standing } }) =>
      path === '/open' && standing === 'nobody' ? { status: 401 } : undefined,
    ['GET /open, stranger: 401, but they may call it'],
  ],
  [
    'a 401 that does not say how to come in',
    ({ method, visitor: { standing } }) =>
      method === 'DELETE' && standing === 'nobody' ? { status: 401 } : undefined,
    ['DELETE /things/:id, stranger: 401 without WWW-Authenticate: Bearer'],
  ],
])('finds %s', async (_what, fault, expected) => {
  expect(await findingsWith(fault)).toEqual(expected);
});

describe('hidden objects', () => {
  const places = c.router({
    list: { method: 'GET', path: '/places', responses: {}, metadata: may({ who: 'any' }) },
    look: { method: 'GET', path: '/places/:repo_id', responses: {}, metadata: may({ who: 'any' }) },
    admins: { method: 'GET', path: '/admins/:repo_id', responses: {}, metadata: may({ who: 'admin' }) },
  });
  const hidden = {
    values: { repo_id: ['2'], repository_id: ['2'] },
    marks: new Map([['its name', 'secret place']]),
  };
  const findings = async (answer: (path: string, id: string | null) => SmallAnswer) => {
    const service = await startSmallService(({ url = '' }) => {
      const { pathname, searchParams } = new URL(url, 'http://x');
      return answer(pathname, searchParams.get('repository_id'));
    });
    try {
      return await walkHidden({ base: service.base, routes: routesOf(places), token: 'user', hidden });
    } finally {
      await service.end();
    }
  };
  const right = (path: string): SmallAnswer =>
    path === '/places' ? { status: 200, body: [] } : { status: 404 };

  test('pass if nothing is shown', async () => {
    expect(await findings(right)).toEqual([]);
  });

  test.each<[string, (path: string, id: string | null) => SmallAnswer, string]>([
    ['a list', () => ({ status: 200, body: ['secret place'] }), 'GET /places: holds its name'],
    [
      'an object',
      (path) => (path === '/places/2' ? { status: 200 } : right(path)),
      'GET /places/:repo_id: 200 instead of 404',
    ],
    [
      'a refusal',
      (path) => (path === '/places/2' ? { status: 403 } : right(path)),
      'GET /places/:repo_id: 403 instead of 404',
    ],
    [
      'a sentence of its own',
      (path) => (path === '/places/2' ? { status: 404, body: { detail: 'not for you' } } : right(path)),
      'GET /places/:repo_id: another 404 than for nothing',
    ],
    [
      'a filter',
      (path, id) => (id === '2' && path === '/places' ? { status: 409 } : right(path)),
      'GET /places: 409 instead of 200',
    ],
  ])('are found in %s', async (_where, answer, expected) => {
    expect(await findings(answer)).toContain(expected);
  });
});
