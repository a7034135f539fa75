import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AnonymousBudget, anonymousLimits } from '../src/http/audit/anonymous-budget.js';
import { auditedRoutes } from '../src/http/audit/audited-routes.js';
import { createdIn } from '../src/http/audit/created-object.js';
import { openApiDocument } from '../src/http/docs/openapi.js';

const kinds = [
  ...[
    'archive',
    'attachment',
    'delivery',
    'identity',
    'incident',
    'job',
    'notification',
    'passkey',
    'provider',
    'repository',
    'schedule',
    'script',
  ],
  ...['source_set', 'ssh_connection', 'ssh_key', 'token', 'user'],
];

test('gives each audited route the documented operation id and a known object kind', async () => {
  const { paths } = (await openApiDocument()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  expect(auditedRoutes.size).toBeGreaterThan(70);
  for (const [name, { action, object }] of auditedRoutes) {
    const [method = '', path = ''] = name.split(' ');
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    expect([name, action]).toEqual([name, operation?.operationId]);
    expect([name, object === null]).toEqual([name, !path.includes(':')]);
    if (object) expect([name, kinds]).toEqual([name, expect.arrayContaining([object.kind])]);
  }
});

test('finds the created object in the response', () => {
  expect(createdIn({ success: true, job_id: 7 }, '/api/backup/start')).toEqual({ kind: 'job', id: '7' });
  expect(createdIn({ id: 2, username: 'mira' }, '/api/auth/users')).toEqual({ kind: 'user', id: '2' });
  const repository = { success: true, warnings: [], repository: { id: 3 } };
  expect(createdIn(repository, '/api/repositories/')).toEqual({ kind: 'repository', id: '3' });
  expect(createdIn({ success: true, job: { id: 4 } }, '/api/schedule/')).toEqual({
    kind: 'schedule',
    id: '4',
  });
  for (const body of [undefined, null, 'text', { success: true }, { job_id: null }]) {
    expect(createdIn(body, '/api/x')).toBeNull();
  }
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('records anonymous requests up to a limit, then sums them up each minute', async () => {
  const told: string[] = [];
  const budget = new AnonymousBudget((note) => told.push(note));
  const knocks = async (times: number, what: string, address: string) => {
    let taken = 0;
    for (let knock = 0; knock < times; knock++) if (await budget.take(what, address)) taken += 1;
    return taken;
  };
  expect(await knocks(anonymousLimits.ofNetwork + 5, 'change', '192.0.2.1')).toBe(anonymousLimits.ofNetwork);
  expect(await knocks(3, 'login', '192.0.2.1')).toBe(3);
  expect(await knocks(3, 'change', '192.0.2.2')).toBe(3);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([expect.stringMatching(/^5 more anonymous requests from 192\.0\.2\.1 /)]);
  expect(await knocks(1, 'change', '192.0.2.1')).toBe(1);
});
