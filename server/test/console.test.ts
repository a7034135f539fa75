import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { contract, routesOf } from '@holdfast/contracts';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webConsole } from '../src/http/console/console.js';
import { assetAt, fileAt, mayBePage } from '../src/http/console/console-paths.js';
import { errorHandler } from '../src/http/errors/errors.js';
import { belowBasePath } from '../src/http/middleware/base-path.js';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-console-'));
const dist = join(folder, 'dist');
const script = `console.log('${'a script of the page '.repeat(100)}');`;
const page = `<html><head><script src="./theme.js"></script>
<script type="module" src="./assets/index-DiwrgTda.js"></script></head></html>`;
const files: Record<string, string | Buffer> = {
  'index.html': page,
  'theme.js': 'theme();',
  'favicon.svg': '<svg/>',
  'manifest.webmanifest': '{}',
  'licences.txt': 'MIT',
  'index.js.map': '{}',
  'secret.key': 'a secret',
  'assets/index-DiwrgTda.js': script,
  'assets/index-DiwrgTda.js.br': brotliCompressSync(script),
  'assets/index-DiwrgTda.js.gz': gzipSync(script),
  'assets/small-0N8X_c-m.css': 'a{}',
  'assets/font-0123abcd.woff2': Buffer.from([1, 2, 3]),
  'assets/unhashed.js': 'unhashed',
  'docs/index.html': '<h1>Documentation</h1>',
  'docs/guides/restore.html': '<h1>Restore files</h1>',
  'docs/guides/restore.md': '# Restore files',
  'docs/images/home.png': 'a picture',
  'docs/assets/style-0N8X-c_m.css': 'b{}',
};

const servers: Server[] = [];
const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
const redactor = { protect: () => ({ release() {} }), redact: (text: string) => text };

/** The console before an API that answers 404 to everything. */
async function serve(place: string | null, basePath = ''): Promise<number> {
  const app = express();
  // As in the service: express decides nothing about 304.
  Object.defineProperty(app.request, 'fresh', { get: () => false });
  app.use(belowBasePath(basePath), webConsole(place));
  app.use((req, res) => void res.status(404).json({ path: req.path }));
  app.use(errorHandler({ log: quiet, redactor }));
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

let port: number;
beforeAll(async () => {
  for (const place of ['assets', 'docs/assets', 'docs/guides', 'docs/images'])
    mkdirSync(join(dist, place), { recursive: true });
  writeFileSync(join(folder, 'outside-0123abcd.js'), 'outside');
  writeFileSync(join(folder, 'outside.js'), 'outside');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dist, name), content);
  port = await serve(dist);
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

interface Asked {
  method?: string;
  at?: number;
  headers?: Record<string, string>;
}

/** The path goes out exactly as it stands, and nothing is unpacked. */
async function ask(path: string, { method = 'GET', at = port, headers = {} }: Asked = {}) {
  const asked = request({ host: '127.0.0.1', port: at, path, method, headers, agent: false }).end();
  const [answer] = await once(asked, 'response');
  const body = Buffer.concat(await answer.toArray());
  return { status: answer.statusCode as number, headers: answer.headers, body, text: body.toString() };
}

const accepts = {
  chromium:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  firefox: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  safari: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
};
const browser = { accept: accepts.chromium };

describe('the page', () => {
  test.each(Object.entries(accepts))('is served when %s navigates', async (_name, accept) => {
    for (const path of [
      '/',
      '/repositories/7/browse/a%2Fb/etc/hosts.txt',
      '/schedules?x=1',
      '/nope.png',
      '//x',
    ])
      expect([path, (await ask(path, { headers: { accept } })).text]).toEqual([
        path,
        expect.stringContaining('<html>'),
      ]);
  });

  test('names its files from the root at any address', async () => {
    const { text, headers, status } = await ask('/a/b', { headers: browser });
    expect(status).toBe(200);
    expect(text).toContain('src="/theme.js"');
    expect(text).toContain('src="/assets/index-DiwrgTda.js"');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
      vary: 'Accept',
    });
  });

  test('answers 304 to a known tag', async () => {
    const { headers, text } = await ask('/');
    const tag = headers.etag ?? '';
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const again = await ask('/b', { headers: { ...browser, 'if-none-match': known } });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', tag]);
    }
    expect((await ask('/', { headers: { 'if-none-match': '"other"' } })).text).toBe(text);
    expect((await ask('/', { headers: { 'if-none-match': 'broken' } })).text).toBe(text);
  });

  test('HEAD has the headers alone', async () => {
    const got = await ask('/', { headers: browser });
    const head = await ask('/', { method: 'HEAD', headers: browser });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'content-security-policy'])
      expect(head.headers[name]).toBe(got.headers[name]);
  });

  test.each<Record<string, string>>([{}, { accept: '*/*' }, { accept: 'application/json' }])(
    '/ is the page for everyone: %j',
    async (headers) => {
      expect((await ask('/', { headers })).text).toContain('<html>');
    },
  );

  test.each([
    undefined,
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'text/html;q=0, */*',
    'application/json, text/html;q=0.5',
    'image/png',
  ])('answers 404 at other paths to a program that accepts %s', async (accept) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    for (const path of ['/nope', '/index.html', '/repositories/1']) {
      const answer = await ask(path, { headers });
      expect([answer.status, JSON.parse(answer.text)]).toEqual([404, { path }]);
      expect(answer.headers).not.toHaveProperty('cache-control');
    }
  });

  test.each([
    '/api',
    '/api/nope',
    '/API/nope',
    '/apis',
    '/health/nope',
    '/healthz',
    '/metrics',
    '/metrics/x',
    '/assets/',
    '/assets/nope-0123abcd.js',
    '/docs/nope',
    '/docs/guides/nope.html',
  ])('is never at %s', async (path) => {
    expect((await ask(path, { headers: browser })).status).toBe(404);
  });

  test('hides no route of the API', () => {
    const hidden = routesOf(contract).filter(({ path }) => mayBePage(path) || fileAt(path) || assetAt(path));
    expect(hidden).toEqual([]);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is for the API', async (method) => {
    expect((await ask('/', { method, headers: browser })).status).toBe(404);
    expect((await ask('/theme.js', { method })).status).toBe(404);
    expect((await ask('/assets/index-DiwrgTda.js', { method })).status).toBe(404);
  });
});

describe('an asset', () => {
  const path = '/assets/index-DiwrgTda.js';

  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.1', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
    ['', undefined, (body: Buffer) => body],
    ['gzip;q=0, br;q=0', undefined, (body: Buffer) => body],
  ])('answers Accept-Encoding: %s with %s', async (accepted, encoding, unpack) => {
    const { status, headers, body } = await ask(path, { headers: { 'accept-encoding': accepted } });
    expect([status, headers['content-encoding']]).toEqual([200, encoding]);
    expect(unpack(body).toString()).toBe(script);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': `${body.length}`,
      vary: 'Accept-Encoding',
    });
  });

  test('is sent unchanged if the build did not compress it', async () => {
    const headers = { 'accept-encoding': 'br, gzip' };
    const css = await ask('/assets/small-0N8X_c-m.css', { headers });
    expect([css.status, css.text, css.headers['content-encoding']]).toEqual([200, 'a{}', undefined]);
    const font = await ask('/assets/font-0123abcd.woff2', { headers });
    expect([font.headers['content-type'], font.body]).toEqual(['font/woff2', Buffer.from([1, 2, 3])]);
  });

  test('has a tag for each encoding and no body for HEAD', async () => {
    const headers = { 'accept-encoding': 'br' };
    const { etag = '' } = (await ask(path, { headers })).headers;
    expect((await ask(path)).headers.etag).not.toBe(etag);
    const again = await ask(path, { headers: { ...headers, 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await ask(path, { method: 'HEAD', headers });
    expect([head.status, head.text, head.headers['content-encoding']]).toEqual([200, '', 'br']);
  });

  test('has a short name: a long one is not even looked for', () => {
    expect(assetAt(`/assets/a-${'b'.repeat(20)}.js`)).toBe(`assets/a-${'b'.repeat(20)}.js`);
    expect(assetAt(`/assets/a-${'b'.repeat(300)}.js`)).toBeNull();
    expect(fileAt(`/${'b'.repeat(300)}.js`)).toBeNull();
  });

  test('is sent whole when a range is asked for', async () => {
    const { status, text } = await ask(path, { headers: { range: 'bytes=0-3' } });
    expect([status, text]).toEqual([200, script]);
  });

  test.each([
    '/assets/nope-0123abcd.js',
    '/assets/unhashed.js',
    '/assets/index-DiwrgTda.js.br',
    '/assets/index-DiwrgTda.js/',
    '/assets',
    '/assets/..%2Foutside-0123abcd.js',
    '/assets/../../outside-0123abcd.js',
    '/assets/%2e%2e/%2e%2e/outside-0123abcd.js',
    '/assets/..%5c..%5coutside-0123abcd.js',
    '/assets/index-DiwrgTda.js%00.js',
    '/assets/%00-0123abcd.js',
    '/assets//index-DiwrgTda.js',
    '/assets/%69ndex-DiwrgTda.js',
    `/assets/${'-'.repeat(15_000)}`,
    `/assets/a-${'b'.repeat(300)}.js`,
    '/..%2foutside.js',
    '/../outside.js',
    '/%2e%2e/outside.js',
    '/theme.js%00',
    '/secret.key',
    '/docs/guides/restore.md',
    '/docs/guides/../../../outside.js',
    '/docs/%2e%2e/%2e%2e/outside.js',
    '/docs//index.html',
    '/index.js.map',
    '/%E0%A4',
  ])('has nothing at %s', async (address) => {
    const answer = await ask(address, { headers: { 'accept-encoding': 'br' } });
    expect([answer.status, answer.headers['content-encoding'], answer.headers['cache-control']]).toEqual([
      404,
      undefined,
      undefined,
    ]);
  });
});

test.each([
  ['/theme.js', 'theme();', 'text/javascript; charset=utf-8'],
  ['/favicon.svg', '<svg/>', 'image/svg+xml'],
  ['/manifest.webmanifest', '{}', 'application/manifest+json; charset=utf-8'],
  ['/licences.txt', 'MIT', 'text/plain; charset=utf-8'],
  ['/docs/guides/restore.html', '<h1>Restore files</h1>', 'text/html; charset=utf-8'],
  ['/docs/images/home.png', 'a picture', 'image/png'],
])('%s is asked for again each time', async (path, content, type) => {
  const { text, headers } = await ask(path);
  expect(text).toBe(content);
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': type });
  expect((await ask(path, { headers: { 'if-none-match': headers.etag ?? '' } })).status).toBe(304);
});

test('sends the same policy with the page and all its files', async () => {
  const paths = [
    '/',
    '/theme.js',
    '/assets/index-DiwrgTda.js',
    '/docs/index.html',
    '/docs/assets/style-0N8X-c_m.css',
  ];
  const answers = await Promise.all(paths.map((path) => ask(path)));
  for (const { headers } of answers) {
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types holdfast-worker",
    );
    expect(headers['permissions-policy']).toMatch(/^([a-z-]+=\(\)(, |$))+$/);
  }
});

test('names files below the base path at any address', async () => {
  const at = await serve(dist, '/holdfast');
  for (const path of ['/', '/holdfast', '/holdfast/', '/holdfast/a/b', '/a'])
    expect((await ask(path, { at, headers: browser })).text).toContain(
      'src="/holdfast/assets/index-DiwrgTda.js"',
    );
  for (const path of ['/holdfast/assets/index-DiwrgTda.js', '/assets/index-DiwrgTda.js'])
    expect((await ask(path, { at })).text).toBe(script);
  expect((await ask('/holdfast/api/nope', { at, headers: browser })).status).toBe(404);
});

test('opens the documentation below the base path', async () => {
  const at = await serve(dist, '/holdfast');
  for (const path of ['/docs', '/docs/', '/holdfast/docs', '/holdfast/docs/'])
    expect((await ask(path, { at })).headers.location).toBe('/holdfast/docs/index.html');
  expect((await ask('/holdfast/docs/index.html', { at })).text).toBe('<h1>Documentation</h1>');
  expect((await ask('/holdfast/docs/assets/style-0N8X-c_m.css', { at })).headers['cache-control']).toContain(
    'immutable',
  );
});

test.each([null, join(folder, 'never-built')])('explains the setup of a console in %s', async (place) => {
  const at = await serve(place);
  for (const [path, headers] of [
    ['/', {}],
    ['/jobs', browser],
  ] as const) {
    const answer = await ask(path, { at, headers });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      404,
      { code: 'console_missing', detail: expect.stringContaining('npm run build') },
    ]);
  }
  expect(JSON.parse((await ask('/jobs', { at })).text)).toEqual({ path: '/jobs' });
  expect(JSON.parse((await ask('/assets/index-DiwrgTda.js', { at })).text)).toHaveProperty('path');
});
