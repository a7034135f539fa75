import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answer, type HoldfastError, ifMatch } from '../src/index.js';
import { type FakeService, fakeService, json, outcomeOf } from './fake-service.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const busy = (status: number, seconds?: number) =>
  json(
    { detail: 'Not now.', code: 'busy' },
    status,
    seconds === undefined ? {} : { 'Retry-After': `${seconds}` },
  );
const started = json({ job_id: 7 });
const broken = new TypeError('fetch failed');
const body = { repository_id: 1 };
const byId = { params: { path: { repo_id: 1 } } };

describe('keys', () => {
  test('sends the same random key with each attempt of a creating call', async () => {
    const { client, requests, header } = fakeService([broken, busy(409, 1), busy(503), started]);
    expect(await outcomeOf(answer(client.POST('/api/backup/start', { body })))).toEqual({ job_id: 7 });
    const [first, ...others] = header('Idempotency-Key');
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(others).toEqual([first, first, first]);
    const bodies = await Promise.all(requests.map((request) => request.json()));
    expect(bodies).toEqual([body, body, body, body]);
    await outcomeOf(answer(client.POST('/api/backup/start', { body })));
    expect(header('Idempotency-Key').at(-1)).not.toBe(first);
  });

  test('keeps the key of the caller and adds none to other calls', async () => {
    const { client, header } = fakeService([started]);
    const own = { 'idempotency-key': 'mine' };
    await outcomeOf(client.POST('/api/backup/start', { body, params: { header: own } }));
    await outcomeOf(client.POST('/api/download-tickets', { body: { url: '/api/x' } }));
    await outcomeOf(client.GET('/api/overview'));
    expect(header('Idempotency-Key')).toEqual(['mine', null, null]);
  });

  test('creates keys without randomUUID on pages over plain HTTP', async () => {
    const { getRandomValues } = crypto;
    vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) });
    const { client, header } = fakeService([started]);
    await outcomeOf(client.POST('/api/backup/start', { body }));
    vi.unstubAllGlobals();
    expect(header('Idempotency-Key')).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });
});

describe('waits', () => {
  test('waits slightly longer than Retry-After and reports it to the caller', async () => {
    const { client, waits } = fakeService([busy(429, 3), busy(503, 5), started]);
    await outcomeOf(client.GET('/api/overview'));
    expect(waits).toEqual([
      { status: 429, seconds: expect.any(Number), attempt: 1, path: '/api/overview' },
      { status: 503, seconds: expect.any(Number), attempt: 2, path: '/api/overview' },
    ]);
    for (const [n, asked] of [3, 5].entries()) {
      expect(waits[n]?.seconds).toBeGreaterThan(asked);
      expect(waits[n]?.seconds).toBeLessThan(asked * 1.2 + 0.001);
    }
  });

  test('four attempts at most, with growing pauses', async () => {
    const { client, requests, waits } = fakeService([broken]);
    const error = (await outcomeOf(answer(client.GET('/api/overview')))) as HoldfastError;
    expect(error).toMatchObject({ status: 0, cause: broken });
    expect(requests).toHaveLength(4);
    expect(waits.map(({ seconds }) => Math.floor(seconds * 2))).toEqual([1, 2, 4]);
  });

  test('fails at once with the wait time if it is too long', async () => {
    const { client, requests } = fakeService([busy(503, 30)]);
    const error = await outcomeOf(answer(client.GET('/api/overview')));
    expect(error).toMatchObject({ status: 503, code: 'busy', retryAfter: 30 });
    expect(requests).toHaveLength(1);
    const patient = fakeService([busy(503, 30), started], { longestWait: 60, attempts: 2 });
    expect(await outcomeOf(answer(patient.client.GET('/api/overview')))).toEqual({ job_id: 7 });
  });

  test('ends the wait on abort with its reason and clears the timer', async () => {
    const leaving = new AbortController();
    const { client } = fakeService([busy(503, 9)], { onWait: () => leaving.abort(new Error('left')) });
    const call = answer(client.GET('/api/overview', { signal: leaving.signal }));
    await expect(call).rejects.toThrow('left');
  });

  test('does not send a call again that was already aborted', async () => {
    const { client, requests } = fakeService([started]);
    const call = answer(client.GET('/api/overview', { signal: AbortSignal.abort() }));
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests).toHaveLength(1);
  });
});

describe('retried calls', () => {
  const tagged = { params: { ...byId.params, header: ifMatch('"a-b"') } };
  const calls: Record<string, (service: FakeService) => Promise<unknown>> = {
    read: ({ client }: FakeService) => client.GET('/api/overview'),
    keyed: ({ client }: FakeService) => client.POST('/api/backup/start', { body }),
    put: ({ client }: FakeService) => client.PUT('/api/repositories/{repo_id}', { ...byId, body: {} }),
    taggedPut: ({ client }: FakeService) =>
      client.PUT('/api/repositories/{repo_id}', { ...tagged, body: {} }),
    deletion: ({ client }: FakeService) => client.DELETE('/api/repositories/{repo_id}', byId),
    post: ({ client }: FakeService) => client.POST('/api/download-tickets', { body: { url: '/api/x' } }),
    confirm: ({ client }: FakeService) => client.POST('/api/auth/confirm', { body: { password: 'x' } }),
    tokenDeletion: ({ client }: FakeService) =>
      client.DELETE('/api/auth/tokens/{id}', { params: { path: { id: 1 } } }),
  };
  const all = ['read', 'keyed', 'put', 'taggedPut', 'deletion', 'post', 'confirm', 'tokenDeletion'];
  const none: string[] = [];
  const table: [string, () => Response | Error, string[]][] = [
    ['no answer', () => broken, ['read', 'keyed', 'put']],
    ['502 of a proxy', () => busy(502), ['read', 'keyed', 'put']],
    ['504 of a proxy', () => busy(504), ['read', 'keyed', 'put']],
    ['503', () => busy(503), ['read', 'keyed', 'put', 'taggedPut', 'deletion', 'tokenDeletion']],
    ['429', () => busy(429, 1), ['read', 'keyed', 'put', 'taggedPut', 'deletion']],
    [
      '409 that passes',
      () => busy(409, 1),
      ['read', 'keyed', 'put', 'taggedPut', 'deletion', 'tokenDeletion'],
    ],
    ['409 that stays', () => busy(409), none],
    ['400', () => busy(400), none],
    ['404', () => busy(404), none],
    ['412', () => busy(412), none],
    ['500', () => busy(500), none],
  ];

  test.each(table)('retries after %s', async (_, first, expected) => {
    const again: string[] = [];
    for (const [name, call] of Object.entries(calls)) {
      const service = fakeService([first(), started]);
      await outcomeOf(call(service));
      if (service.requests.length > 1) again.push(name);
    }
    expect(Object.keys(calls)).toEqual(all);
    expect(again).toEqual(expected);
  });
});

describe('tokens', () => {
  const refused = json({ detail: 'Sign in.' }, 401);

  test('requests a token for each attempt', async () => {
    const tokens = ['one', 'two'];
    const { client, header } = fakeService([busy(503), started], { token: async () => tokens.shift() });
    await outcomeOf(client.GET('/api/overview'));
    expect(header('Authorization')).toEqual(['Bearer one', 'Bearer two']);
  });

  test('shares one renewal after 401 and sends each call once more', async () => {
    let token = 'old';
    const onUnauthorized = vi.fn(async () => {
      await Promise.resolve();
      token = 'new';
      return true;
    });
    const byToken = (request: Request) =>
      (request.headers.get('Authorization') === 'Bearer new' ? started : refused).clone();
    const { client, requests } = fakeService([byToken], { token: () => token, onUnauthorized });
    const both = Promise.all([answer(client.GET('/api/overview')), answer(client.GET('/api/jobs'))]);
    expect(await outcomeOf(both)).toEqual([{ job_id: 7 }, { job_id: 7 }]);
    expect(onUnauthorized).toHaveBeenCalledTimes(1);
    expect(requests).toHaveLength(4);
    token = 'old again';
    expect(await outcomeOf(answer(client.GET('/api/jobs')))).toEqual({ job_id: 7 });
    expect(onUnauthorized).toHaveBeenCalledTimes(2);
  });

  test('uses a token that was renewed in the meantime', async () => {
    const onUnauthorized = vi.fn(async () => true);
    let token = 'old';
    const late = () => {
      token = 'new';
      return refused.clone();
    };
    const { client, header } = fakeService([late, started], { token: () => token, onUnauthorized });
    await outcomeOf(client.GET('/api/overview'));
    expect(header('Authorization')).toEqual(['Bearer old', 'Bearer new']);
    expect(onUnauthorized).not.toHaveBeenCalled();
  });

  test('fails after at most one more attempt if the user stays signed out', async () => {
    for (const renewed of [true, false]) {
      const { client, requests } = fakeService([refused], { onUnauthorized: async () => renewed });
      expect(await outcomeOf(answer(client.GET('/api/overview')))).toMatchObject({ status: 401 });
      expect(requests).toHaveLength(renewed ? 2 : 1);
    }
  });

  test('sends no token to sign in and starts no renewal after its 401', async () => {
    const onUnauthorized = vi.fn(async () => true);
    const { client, header } = fakeService([refused], { token: () => 'old', onUnauthorized });
    await outcomeOf(client.POST('/api/auth/session', { body: { username: 'a', password: 'b' } }));
    await outcomeOf(
      client.POST('/api/auth/session/refresh', { params: { header: { 'x-holdfast-session': '1' } } }),
    );
    expect(header('Authorization')).toEqual([null, null]);
    expect(onUnauthorized).not.toHaveBeenCalled();
  });

  test('keeps the header of the caller and starts no renewal after its 401', async () => {
    const onUnauthorized = vi.fn(async () => true);
    const { client, header } = fakeService([refused], { token: () => 'mine', onUnauthorized });
    await outcomeOf(client.GET('/api/overview', { headers: { Authorization: 'Bearer other' } }));
    expect(header('Authorization')).toEqual(['Bearer other']);
    expect(onUnauthorized).not.toHaveBeenCalled();
  });
});

describe('confirmation', () => {
  const wanted = json({ detail: 'Enter your password.', code: 'confirmation_required' }, 403);

  test('asks once for all waiting calls and sends each again with its key', async () => {
    let confirmed = false;
    const onConfirmationRequired = vi.fn(async () => {
      await Promise.resolve();
      confirmed = true;
      return true;
    });
    const service = fakeService([() => (confirmed ? started : wanted).clone()], { onConfirmationRequired });
    const call = () => answer(service.client.POST('/api/backup/start', { body }));
    expect(await outcomeOf(Promise.all([call(), call()]))).toEqual([{ job_id: 7 }, { job_id: 7 }]);
    expect(onConfirmationRequired).toHaveBeenCalledTimes(1);
    expect(new Set(service.header('Idempotency-Key')).size).toBe(2);
    expect(service.requests).toHaveLength(4);
  });

  test('returns the error after a refusal and does not ask for other 403s', async () => {
    const onConfirmationRequired = vi.fn(async () => false);
    const { client } = fakeService([wanted, json({ detail: 'No.' }, 403)], { onConfirmationRequired });
    const call = () => outcomeOf(answer(client.DELETE('/api/repositories/{repo_id}', byId)));
    expect(await call()).toMatchObject({ code: 'confirmation_required' });
    expect(await call()).toMatchObject({ status: 403, detail: 'No.' });
    expect(onConfirmationRequired).toHaveBeenCalledTimes(1);
  });
});
