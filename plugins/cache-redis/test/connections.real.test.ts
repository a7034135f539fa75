import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openCache, type RedisServer, startRedis } from './redis.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(options?: Parameters<typeof startRedis>[0]): Promise<RedisServer> {
  const server = await startRedis(options);
  closing.push(() => server.remove());
  return server;
}

async function open(url: string) {
  const cache = await openCache(url);
  closing.push(() => cache.stop?.());
  return cache;
}

test('connects with a password to a given database and uses exact keys', async () => {
  const server = await serve({ password: 'p@ss/w' });
  const cache = await open(`redis://:p%40ss%2Fw@127.0.0.1:${server.port}/7`);
  expect(await cache.health?.()).toBeNull();
  await cache.set('archive:1:home', 'value', 60_000);
  expect(await server.command('GET', 'archive:1:home')).toBe('$-1\r\n');
  expect(await server.command('INFO', 'keyspace')).toMatch(/db7:keys=1,expires=1/);
});

test('reports a wrong password without repeating it', async () => {
  const server = await serve({ password: 'right' });
  const cache = await open(`redis://:not-it@127.0.0.1:${server.port}`);
  expect(await cache.health?.()).toMatch(/^Redis at redis:\/\/127\.0\.0\.1:\d+\/0 can't be used: WRONGPASS/);
  expect(await cache.health?.()).not.toContain('not-it');
});

test('names the rights that its user lacks', async () => {
  const server = await serve();
  const rules: [user: string, rules: string[], lacking: RegExp | null][] = [
    ['full', ['~*', '+@all'], null],
    ['needed', ['~archive:*', '+ping', '+set', '+get', '+strlen', '+scan', '+unlink'], null],
    ['noping', ['~*', '+@read', '+@write'], /lacks the right to PING keys/],
    ['nounlink', ['~*', '+@all', '-unlink', '-del'], /lacks the right to UNLINK keys/],
    ['prefix', ['~holdfast:*', '+@all'], /lacks the right to SET, GET, STRLEN, UNLINK keys/],
  ];
  for (const [user, words, lacking] of rules) {
    await server.command('ACL', 'SETUSER', user, 'on', '>p', ...words);
    const cache = await open(`redis://${user}:p@127.0.0.1:${server.port}/0`);
    const health = await cache.health?.();
    if (lacking) expect(health).toMatch(lacking);
    else expect(health).toBeNull();
  }
});

test('through a socket', async () => {
  const server = await serve();
  const cache = await open(`unix://${server.socket}?db=3`);
  expect(await cache.health?.()).toBeNull();
  await cache.set('archive:1:home', Buffer.from([0, 255]));
  expect(await cache.get('archive:1:home')).toEqual(Buffer.from([0, 255]));
  expect(await server.command('INFO', 'keyspace')).toMatch(/db3:keys=1/);
});

describe('with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-redis-tls-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  beforeAll(() => {
    const key = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`];
    openssl('req', '-x509', ...key('ca'), '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Tests');
    openssl('req', ...key('own'), '-out', 'own.csr', '-subj', '/CN=own');
    writeFileSync(file('own.ext'), 'subjectAltName=IP:127.0.0.1\n');
    openssl(
      ...['x509', '-req', '-in', 'own.csr', '-out', 'own.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key'],
      ...['-CAcreateserial', '-days', '2', '-extfile', 'own.ext'],
    );
    return () => rmSync(folder, { recursive: true });
  });
  const tls = () => ({ key: file('own.key'), cert: file('own.pem'), ca: file('ca.pem') });

  test('checks a certificate against the authority in the URL', async () => {
    const server = await serve({ tls: tls() });
    const url = `rediss://127.0.0.1:${server.port}/0`;
    const cache = await open(`${url}?ssl_ca_certs=${file('ca.pem')}`);
    expect(await cache.health?.()).toBeNull();
    await cache.set('archive:1:home', 'value');
    expect(await server.command('GET', 'archive:1:home')).toContain('value');
    expect(await (await open(url)).health?.()).toMatch(/can't be used: .*certificate/);
    expect(await (await open(`${url}?ssl_cert_reqs=none`)).health?.()).toBeNull();
  });
});

describe('faults', () => {
  test('fails at once without a server and works when it starts', async () => {
    const server = await serve();
    await server.stop();
    const cache = await open(server.url);
    expect(await cache.health?.()).toMatch(/can't be used: .*ECONNREFUSED/);
    await expect(cache.get('archive:1:home')).rejects.toThrow('ECONNREFUSED');
    await server.launch();
    await vi.waitFor(async () => expect(await cache.health?.()).toBeNull(), { timeout: 60_000 });
    await cache.set('archive:1:home', 'value');
    expect(String(await cache.get('archive:1:home'))).toBe('value');
  });

  test('fails after a kill until the server is back', async () => {
    const server = await serve();
    const cache = await open(server.url);
    expect(await cache.health?.()).toBeNull();
    await server.stop('SIGKILL');
    await vi.waitFor(() => expect(cache.set('archive:1:a', 'value')).rejects.toThrow(), 60_000);
    await server.launch();
    await vi.waitFor(() => cache.set('archive:1:a', 'value'), { timeout: 60_000 });
  });

  test('gives up on a hanging server and uses it again later', async () => {
    const server = await serve();
    const cache = await open(server.url);
    expect(await cache.health?.()).toBeNull();
    await server.freeze();
    await expect(cache.get('archive:1:a')).rejects.toThrow();
    server.signal('SIGCONT');
    await vi.waitFor(() => cache.set('archive:1:a', 'value'), { timeout: 60_000 });
  }, 180_000);

  test('reports a full server', async () => {
    const server = await serve({ settings: ['--maxmemory', '3mb', '--maxmemory-policy', 'noeviction'] });
    const cache = await open(server.url);
    expect(await cache.health?.()).toBeNull();
    const fill = async () => {
      for (let n = 0; n < 50; n++) await cache.set(`archive:1:a/${n}`, Buffer.alloc(100_000));
    };
    await expect(fill()).rejects.toThrow('OOM command not allowed');
    await cache.deleteMany?.(['archive:1:a/0']);
  });

  test('treats a key of another type as absent and can overwrite it', async () => {
    const server = await serve();
    const cache = await open(server.url);
    expect(await cache.health?.()).toBeNull();
    await server.command('LPUSH', 'archive:1:a', 'one');
    expect(await cache.get('archive:1:a')).toBeUndefined();
    await cache.set('archive:1:a', 'value');
    expect(String(await cache.get('archive:1:a'))).toBe('value');
  });

  test('keeps keys of others in the database', async () => {
    const server = await serve();
    const cache = await open(server.url);
    expect(await cache.health?.()).toBeNull();
    await server.command('SET', 'theirs', '1');
    await cache.set('archive:1:a', 'value');
    await cache.clear();
    expect(await server.command('GET', 'theirs')).toContain('1');
    expect(await server.command('GET', 'archive:1:a')).toBe('$-1\r\n');
  });
});
