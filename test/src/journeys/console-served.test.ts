import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../actions.js';
import { type Answer, Api } from '../api.js';
import { Browser } from '../browser.js';
import { entry, productWithout } from '../product.js';
import { adminPassword, TestServer } from '../server.js';
import { type SubPathProxy, startSubPathProxy } from '../services/sub-path-proxy.js';
import { waitFor } from '../wait-for.js';

const dist = join(dirname(entry), '..', '..', 'console', 'dist');
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const json = { accept: 'application/json' };

/** What a page of this service names, as addresses. */
const namedIn = ({ text }: Answer): string[] =>
  [...text.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory', env: { CORS_ORIGINS: 'https://ui.example.org' } });
});
afterAll(() => server?.remove());

describe('the page', () => {
  test('is served at each of its addresses, revalidated, and sent once', async () => {
    const page = await server.api.get('/', {}, { headers: browser });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['cache-control']).toBe('no-cache');
    const { etag = '' } = page.headers;
    for (const path of ['/repositories/1/browse/a/etc/hosts.txt', '/settings/people']) {
      expect((await server.api.get(path, {}, { headers: browser })).text).toBe(page.text);
      const known = { ...browser, 'if-none-match': etag };
      expect((await server.api.get(path, {}, { headers: known })).status).toBe(304);
    }
    const head = await server.api.request('HEAD', '/', { headers: browser });
    expect([head.status, head.headers.etag, head.text]).toEqual([200, etag, '']);
  });

  test('comes with compressed files, cached without limit if they have a hash', async () => {
    const page = await server.api.get('/', {}, { headers: browser });
    const addresses = namedIn(page);
    expect(addresses.filter((address) => /^\/assets\/.*\.js$/.test(address))).not.toEqual([]);
    for (const address of addresses) {
      const isHashed = address.startsWith('/assets/');
      for (const encoding of ['br', 'gzip', 'identity']) {
        const answer = await server.api.get(address, {}, { headers: { 'accept-encoding': encoding } });
        expect([address, answer.status]).toEqual([address, 200]);
        expect(answer.bytes).toEqual(readFileSync(join(dist, address)));
        const packed = existsSync(join(dist, `${address}.br`)) && encoding !== 'identity';
        expect([address, answer.headers['content-encoding']]).toEqual([
          address,
          packed ? encoding : undefined,
        ]);
        expect(answer.headers['cache-control']).toBe(
          isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      }
    }
    expect((await server.api.get('/licences.txt')).text).toMatch(/: MIT\n/);
  });

  test('has the common headers and its own policy', async () => {
    const [api, ...own] = await Promise.all(
      ['/api', '/', ...namedIn(await server.api.get('/'))].map((path) => server.api.get(path)),
    );
    const all = [
      'referrer-policy',
      'x-content-type-options',
      'cross-origin-opener-policy',
      'x-frame-options',
    ];
    for (const answer of own) {
      for (const name of [...all, 'cross-origin-resource-policy'])
        expect([name, answer.headers[name]]).toEqual([name, api?.headers[name]]);
      expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; .*holdfast-worker$/);
      expect(answer.headers['permissions-policy']).toContain('camera=()');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
    expect(api?.headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'");
    expect(api?.headers).not.toHaveProperty('permissions-policy');
  });

  test('is not sent to programs', async () => {
    for (const headers of [{}, json, { accept: '*/*' }, { accept: 'application/json, text/plain, */*' }]) {
      for (const path of ['/nope', '/repositories/1', '/index.html'])
        expectRefusal(await server.api.get(path, {}, { headers }), 404, /nothing at .* \/api\/docs/);
    }
    for (const path of ['/api/nope', '/health/nope', '/metrics/nope', '/assets/nope-0123abcd.js']) {
      const answer = await server.api.get(path, {}, { headers: browser });
      expectRefusal(answer, 404, /nothing at/);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    expectRefusal(await server.api.request('POST', '/', { headers: browser }), 404);
    expectRefusal(await server.api.request('DELETE', '/health', { headers: browser }), 405);
    for (const path of ['/health', '/api', '/metrics'])
      expect((await server.api.get(path, {}, { headers: browser })).headers['content-type']).not.toContain(
        'html',
      );
  });
});

test('sends the server version with every response, readable by allowed origins', async () => {
  const { server_version } = (await server.api.get('/api')).body;
  const origin = { origin: 'https://ui.example.org' };
  for (const path of ['/api', '/api/auth/me', '/api/nope', '/health']) {
    const { headers } = await server.api.get(path, {}, { headers: origin });
    expect(headers['holdfast-version']).toBe(server_version);
    expect(headers['access-control-expose-headers']).toContain('Holdfast-Version');
  }
});

describe('without the console', () => {
  test('serves nothing at / with CONSOLE=off', async () => {
    const plain = await TestServer.start({ driver: 'memory', env: { CONSOLE: 'off' } });
    for (const path of ['/', '/theme.js', namedIn(await server.api.get('/')).at(-1) ?? ''])
      expectRefusal(await plain.api.get(path, {}, { headers: browser }), 404, /nothing at/);
    expect(plain.log).not.toContain('web console');
    await plain.remove();
  });

  test('runs without the console, logs it once and explains it at /', async () => {
    const bare = await TestServer.start({
      driver: 'memory',
      entry: productWithout('console', server.workspace.folder('bare')),
    });
    expect(bare.log.match(/the web console is missing/g)).toHaveLength(1);
    expectRefusal(await bare.api.get('/', {}, { headers: browser }), 404, /npm run build/);
    expectRefusal(await bare.api.get('/nope'), 404, /nothing at/);
    expect((await bare.login()).token).not.toBeNull();
    await bare.remove();
  });
});

describe('below a path', () => {
  const path = '/tools/holdfast';
  const below = (address: string) => `${path}${address}`;
  let published: TestServer;
  const proxies: SubPathProxy[] = [];
  beforeAll(async () => {
    published = await TestServer.start({ driver: 'memory', env: { BASE_PATH: path, TRUST_PROXY: '1' } });
    for (const strips of [true, false])
      proxies.push(await startSubPathProxy(published.api.baseUrl, { path, strips }));
  });
  afterAll(async () => {
    for (const proxy of proxies) proxy.close();
    await published?.remove();
  });

  describe.each([
    ['that removes it', 0],
    ['that passes it on', 1],
  ])('behind a proxy %s', (_what, index) => {
    let api: Api;
    beforeAll(() => {
      api = new Api(proxies[index]?.url ?? '');
    });

    test('serves the page and its files', async () => {
      for (const address of [path, below('/'), below('/repositories/7')]) {
        const page = await api.get(address, {}, { headers: browser });
        expect([address, page.status]).toEqual([address, 200]);
        const names = namedIn(page);
        expect(names).toContainEqual(expect.stringMatching(/^\/tools\/holdfast\/assets\/.*\.js$/));
        for (const name of names) expect([name, (await api.get(name)).status]).toEqual([name, 200]);
      }
      expectRefusal(await api.get(below('/nope')), 404, /nothing at/);
    });

    test('returns the cookie after sign-in', async () => {
      const credentials = { username: 'admin', password: adminPassword, remember: true };
      const opened = await api.post(below('/api/auth/session'), credentials);
      const [cookie = '', ...flags] = (opened.headers['set-cookie'] ?? '').split('; ');
      expect(flags).toContain(`Path=${path}/api/auth/session`);
      const own = { cookie, origin: api.baseUrl, 'x-holdfast-session': '1' };
      const refreshed = await api.post(below('/api/auth/session/refresh'), undefined, { headers: own });
      expect([refreshed.status, refreshed.body.username]).toEqual([200, 'admin']);
      const ended = await api.request('DELETE', below('/api/auth/session'), { headers: own });
      expect(ended.headers['set-cookie']).toContain(`Path=${path}/api/auth/session`);
    });

    test('returns working links, and accepts links with the path', async () => {
      const admin = api.as((await published.login()).token ?? '');
      for (const url of ['/api/backup/logs/7/download', below('/api/backup/logs/7/download')]) {
        const { body } = await admin.post(below('/api/download-tickets'), { url });
        expect(body.url).toBe(`${below('/api/backup/logs/7/download')}?ticket=${body.ticket}`);
        expectRefusal(await api.get(body.url), 404, /job/i);
      }
      const { body } = await admin.post(below('/api/download-tickets'), {
        url: '/api/backup/logs/7/download',
      });
      expectRefusal(await api.get(below(body.url)), 404, /job/i);
    });

    test.each(['/api/docs', '/api/docs/', '/api/redoc'])('serves %s with its files', async (address) => {
      const page = await api.get(below(address));
      expect(page.status).toBe(200);
      const names = namedIn(page);
      expect(names.length).toBeGreaterThan(2);
      for (const name of names) {
        expect(name).toMatch(/^\/tools\/holdfast\/api\/docs\/assets\//);
        const asset = await api.get(name);
        expect([name, asset.status]).toEqual([name, 200]);
        for (const [own] of asset.text.matchAll(/[\w/]*\/api\/(openapi\.json|docs\/assets\/[\w.-]+)/g))
          expect(own).toMatch(/^\/tools\/holdfast\/api\//);
      }
      const { body } = await api.get(below('/api/openapi.json'));
      expect(body.servers).toEqual([expect.objectContaining({ url: path })]);
    });
  });

  test('keeps serving the API without the path for checks and metrics', async () => {
    for (const address of ['/health', '/health/ready', '/metrics', '/api', '/api/openapi.json'])
      expect([address, (await published.api.get(address)).status]).toEqual([address, 200]);
    const session = await Browser.signIn(published.api);
    expect(session.opened.headers['set-cookie']).toContain(`Path=${path}/api/auth/session`);
  });

  test('logs the requested address', async () => {
    await published.api.get(below('/api/auth/me'), { token: 'a secret' });
    const line = `"url":"${path}/api/auth/me?token=***"`;
    await waitFor(() => published.log.includes(line), { what: line });
    expect(published.log).not.toContain('a secret');
  });
});
