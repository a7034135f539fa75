import { afterEach, describe, expect, test } from 'vitest';
import { type LifeStage, readinessAnswer } from '../src/http/readiness.js';
import { logIn, type RunningService, runService } from './running-service.js';

describe('the answer', () => {
  const ask = async (stage: LifeStage, ready: boolean) => {
    const headers: Record<string, unknown> = {};
    const res = { setHeader: (name: string, value: unknown) => Object.assign(headers, { [name]: value }) };
    const system = { getReadiness: async () => ready } as never;
    const answer = await readinessAnswer({ useCases: { system }, life: { stage } })(res as never);
    return { ...answer, headers };
  };

  test('is 200 only while the service runs and its storage answers', async () => {
    expect(await ask('running', true)).toEqual({ status: 200, body: { status: 'ready' }, headers: {} });
    const headers = { 'Retry-After': 5 };
    const not = (detail: string, code: string) => ({ status: 503, body: { detail, code }, headers });
    expect(await ask('running', false)).toEqual(not('The database does not respond.', 'storage_unavailable'));
    expect(await ask('starting', true)).toEqual(not('Holdfast is starting.', 'service_starting'));
    expect(await ask('stopping', true)).toEqual(not('Holdfast is stopping.', 'service_stopping'));
  });
});

describe('a service', () => {
  const password = 'a password for this test';
  let running: RunningService | undefined;
  afterEach(async () => {
    await running?.end();
    running = undefined;
  });
  const start = async (environment: Record<string, string>) => {
    running = await runService({ INITIAL_ADMIN_PASSWORD: password, ...environment });
    return running;
  };
  const statusOf = async ({ call }: RunningService, path: string) => (await call(path)).status;

  test('reports not ready before it stops accepting requests', async () => {
    const service = await start({ SHUTDOWN_DRAIN_SECONDS: '3' });
    const ready = await service.call('/health/ready');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
    const token = await logIn(service, password);
    const ended = service.service.stop();
    const drained = await service.call('/health/ready');
    expect([drained.status, await drained.json()]).toEqual([
      503,
      { detail: 'Holdfast is stopping.', code: 'service_stopping' },
    ]);
    expect(await statusOf(service, '/health')).toBe(200);
    const headers = { authorization: `Bearer ${token}` };
    expect((await service.call('/api/repositories/', { headers })).status).toBe(200);
    await ended;
    await expect(service.call('/health/ready')).rejects.toThrow('fetch failed');
  });

  /** The sixth wrong try of one address has to wait. */
  const wrongTry = async ({ call }: RunningService, address: string) => {
    const body = new URLSearchParams({ username: 'admin', password: 'wrong' });
    return (await call('/api/auth/login', { method: 'POST', body, headers: { 'x-forwarded-for': address } }))
      .status;
  };

  test('trusts no proxy by default', async () => {
    const service = await start({});
    const statuses = [];
    for (let n = 1; n <= 7; n++) statuses.push(await wrongTry(service, `192.0.2.${n}`));
    expect(statuses).toContain(429);
  });

  test.each(['1', '127.0.0.0/8'])(
    'knows clients behind a proxy apart: TRUST_PROXY=%s',
    async (TRUST_PROXY) => {
      const service = await start({ TRUST_PROXY });
      const statuses = [];
      // What stands before the address that the proxy added is what the client says of itself.
      for (let n = 1; n <= 7; n++) statuses.push(await wrongTry(service, `198.51.100.${n}, 192.0.2.1`));
      expect(statuses).toContain(429);
      expect(await wrongTry(service, '192.0.2.2')).toBe(401);
    },
  );
});
