import { ContractNoBody } from '@ts-rest/core';
import { describe, expect, test, vi } from 'vitest';
import { contract, type RouteMetadata, routesOf, unconfirmed } from '../src/index.js';
import { newTimezone } from '../src/schemas/schedule-fields.js';

const routes = routesOf(contract).map((route) => ({
  route,
  method: route.method,
  name: `${route.method} ${route.path}`,
  metadata: route.metadata as RouteMetadata,
  headers: Object.keys((route.headers as { shape?: object } | undefined)?.shape ?? {}),
  statuses: Object.keys(route.responses).map(Number),
}));
type Route = (typeof routes)[number];
const named = (some: Route[]) => some.map((each) => [each.name, each] as const);
const makes = ({ metadata }: Route) => metadata.creates === 'job' || metadata.creates === 'resource';

describe('states for every POST whether it creates something', () => {
  test.each(named(routes.filter(({ method }) => method === 'POST')))('%s', (_name, { metadata }) => {
    expect(metadata.creates).toMatch(/^(job|resource|nothing)$/);
  });
});

describe('routes that create something accept an idempotency key', () => {
  test.each(named(routes.filter(makes)))('%s', (_name, { headers, statuses, metadata }) => {
    expect(headers).toContain('idempotency-key');
    expect(statuses).toContain(409);
    expect(metadata.access.who).not.toBe('public');
    expect(metadata.upload).toBeUndefined();
  });

  test('are the only routes with the header', () => {
    const taking = routes.filter(({ headers }) => headers.includes('idempotency-key'));
    expect(taking.map(({ name }) => name)).toEqual(routes.filter(makes).map(({ name }) => name));
  });
});

describe('changing routes can refuse If-Match', () => {
  const changing = routes.filter(({ method }) => !['GET', 'POST'].includes(method));
  test.each(named(changing))('%s', (_name, { statuses }) => expect(statuses).toContain(412));
});

describe('routes with a version show and check it', () => {
  const versioned = routes.filter(({ metadata }) => metadata.version !== undefined);
  test.each(named(versioned))('%s', (_name, { route, method, headers, statuses }) => {
    expect(headers).toContain(method === 'GET' ? 'if-none-match' : 'if-match');
    expect(statuses).toContain(method === 'GET' ? 304 : 412);
    if (method === 'GET') expect((route.responses as Record<number, unknown>)[304]).toBe(ContractNoBody);
  });

  test('have one address to read and change each kind, with parts below it', () => {
    const kinds = new Set(versioned.map(({ metadata }) => metadata.version));
    for (const kind of kinds) {
      const ofKind = versioned.filter(({ metadata }) => metadata.version === kind);
      const [own, ...others] = ofKind.filter(({ method }) => method === 'GET').map(({ route }) => route.path);
      expect([own, others]).toEqual([expect.any(String), []]);
      const elsewhere = ofKind.filter(({ route }) => route.path !== own && !route.path.startsWith(`${own}/`));
      expect(elsewhere.map(({ name }) => name)).toEqual([]);
      const methods = new Set(ofKind.map(({ method }) => method));
      expect([kind, methods.has('GET'), methods.size > 1]).toEqual([kind, true, true]);
    }
  });

  test('include every PUT and PATCH', () => {
    const changing = routes.filter(({ method }) => method === 'PUT' || method === 'PATCH');
    for (const { name, metadata } of changing) expect([name, metadata.version]).not.toContain(undefined);
  });
});

describe('routes with confirmation in a browser', () => {
  const withConfirm = (how: 'always' | 'sometimes') =>
    routes.filter(({ metadata }) => metadata.access.confirm === how);

  const changing = routes.filter(({ route }) => route.method !== 'GET');
  const listed = Object.values(unconfirmed).flat();

  const missing = (some: Pick<Route, 'name' | 'metadata'>[]) =>
    some
      .filter(({ name, metadata }) => metadata.access.confirm === undefined && !listed.includes(name))
      .map(({ name }) => name);

  test('is also a new call, until it is listed', () => {
    const metadata: RouteMetadata = { access: { who: 'admin' }, tag: 'Keys' };
    expect(missing([...changing, { name: 'POST /api/keys', metadata }])).toEqual(['POST /api/keys']);
  });

  test('is every call that changes something, unless it is listed with a reason', () => {
    expect(missing(changing)).toEqual([]);
    const other = listed.filter(
      (name) => changing.find((each) => each.name === name)?.metadata.access.confirm !== undefined,
    );
    expect(other).toEqual([]);
    expect(listed.filter((name) => !changing.some((each) => each.name === name))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  test('is all that makes credentials, rights or code, or shows all secrets', () => {
    const power =
      /^(POST|PUT|PATCH) .*(\/users|\/tokens|reset-password|\/scripts(?!\/cleanup)|\/settings\/(?!users))/;
    const reading = ['stored_secrets', 'recovery_sheet', 'repository_key'];
    const powerful = routes.filter(
      ({ name, metadata }) => power.test(name) || reading.includes(metadata.reveals ?? ''),
    );
    expect(powerful.length).toBeGreaterThan(12);
    for (const { name, metadata } of powerful) {
      const isImport = name === 'POST /api/settings/import';
      expect([name, metadata.access.confirm]).toEqual([name, isImport ? 'sometimes' : 'always']);
    }
  });

  test('is asked for fields that the body has', () => {
    for (const { route, metadata } of routes) {
      const { confirm, confirmFor = [] } = metadata.access;
      if (confirmFor.length === 0) continue;
      expect(confirm).toBe('sometimes');
      const { shape } = (route as unknown as { body: { shape: object } }).body;
      for (const field of confirmFor) expect(Object.keys(shape)).toContain(field);
    }
  });

  test.each(named(withConfirm('sometimes')))('%s says when', (_name, { route }) => {
    expect(route.description).toMatch(/A browser session must confirm the password first/);
  });

  test.each(named([...withConfirm('always'), ...withConfirm('sometimes')]))(
    '%s can refuse',
    (_name, each) => {
      expect(each.metadata.access.who).not.toBe('public');
      expect(each.statuses).toContain(403);
    },
  );
});

describe('routes that read the session cookie', () => {
  const reading = routes.filter(({ metadata }) => metadata.access.cookie);

  test.each(named(reading))('%s is below the cookie path and requires a header', (_name, each) => {
    expect(each.route.path).toMatch(/^\/api\/auth\/session(\/|$)/);
    expect(each.headers).toContain('x-holdfast-session');
    expect(each.metadata.access.who).toBe('public');
  });

  test('are only refresh and sign-out', () => expect(reading).toHaveLength(2));
});

test('hides no route of another contract', () => {
  const shownAt = Object.entries(contract).flatMap(([part, router]) =>
    routesOf(router).map(({ method, path }) => ({ part, method, path })),
  );
  const taken = ({ path }: { path: string }) =>
    new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`, 'i');
  const hidden = shownAt.flatMap((route) =>
    shownAt.filter(
      (other) => other.part !== route.part && other.method === route.method && taken(route).test(other.path),
    ),
  );
  expect(hidden).toEqual([]);
});

test('refuses the key of a repository to read-only tokens', () => {
  const { metadata } = routes.find(({ name }) => name === 'GET /api/repositories/:repo_id/keyfile') as Route;
  expect(metadata.access).toMatchObject({ who: 'admin', readOnlyTokens: false });
});

test('uses the time zone of the service by default', () => {
  const zone = { timeZone: 'America/New_York' } as Intl.ResolvedDateTimeFormatOptions;
  const spy = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(zone);
  expect(newTimezone.parse(undefined)).toBe('America/New_York');
  spy.mockRestore();
});
