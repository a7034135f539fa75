import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
let folder: string;
let children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-main-'));
});
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  children = [];
  rmSync(folder, { recursive: true });
});

function start(environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), PORT: '0', ...environment };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (output.out += chunk));
  child.stderr.on('data', (chunk) => (output.err += chunk));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const url = /^Holdfast listens on (\S+)/m.exec(output.out)?.[1];
      if (url) resolve(url);
    });
    ended.then((code) => reject(new Error(`ended with ${code}: ${output.err}`)));
  });
  listening.catch(() => {});
  return { child, output, ended, listening };
}

const login = (url: string, password: string) =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'admin', password }),
  });

test('shows the first password once outside the log and ends with 0 on SIGTERM', async () => {
  const first = start();
  const url = await first.listening;
  expect((await fetch(`${url}/health`)).status).toBe(200);
  await expect.poll(() => first.output.out).toContain('(shown only now');
  expect(first.output.out).toContain(`Open ${url} in a browser; sign in as admin`);
  const password = /user admin, password (\S+)/.exec(first.output.out)?.[1] ?? '';
  expect((await login(url, password)).status).toBe(200);
  await fetch(`${url}/api/backup/logs/1/download?token=abcdefgh&x=1`);
  await expect.poll(() => first.output.out).toContain('/download?token=***&x=1');
  expect(first.output.out).not.toContain('abcdefgh');
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(first.output.out.split(password)).toHaveLength(2);
  const lines = first.output.out.split('\n').filter((line) => line.startsWith('{'));
  expect(lines.map((line) => JSON.parse(line).message)).toContain('Holdfast is stopping');
  expect(first.output.err).toBe('');

  const second = start();
  expect((await login(await second.listening, password)).status).toBe(200);
  expect(second.output.out).not.toContain('password');
  second.child.kill('SIGINT');
  expect(await second.ended).toBe(0);
});

test.each([
  ['PORT', 'http', /^PORT must .*\.\n$/],
  ['SECRET_KEY', 'short', /^SECRET_KEY must .*\.\n$/],
  ['DATABASE_URL', 'mysql://localhost/x', /^DATABASE_URL must .*SQLite.*\.\n$/],
  ['PLUGINS', 'holdfast-no-such-plugin', /^The plugin holdfast-no-such-plugin is not installed\.\n$/],
  ['INITIAL_ADMIN_PASSWORD', 'short', /^INITIAL_ADMIN_PASSWORD .*\.\n$/],
  ['HOST', '192.0.2.1', /^Can't listen on HOST 192\.0\.2\.1 .*\.\n$/],
])('reports a bad %s in one sentence with exit code 1', async (name, value, sentence) => {
  const { output, ended } = start({ [name]: value });
  expect(await ended).toBe(1);
  expect(output.err).toMatch(sentence);
  expect(output.out).not.toContain('listens');
});

test('reports a used port and a data folder that is a file', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const taken = start({ PORT: String(port) });
  expect(await taken.ended).toBe(1);
  expect(taken.output.err).toMatch(new RegExp(`^PORT ${port} .*in use.*\\n$`));
  other.close();

  writeFileSync(join(folder, 'file'), '');
  const again = start();
  await again.listening;
  expect(taken.output.out).toContain('(shown only now');
  expect(again.output.out).not.toContain('password');

  const file = start({ DATA_DIR: join(folder, 'file') });
  expect(await file.ended).toBe(1);
  expect(file.output.err).toMatch(/^DATA_DIR .*\.\n$/);
});

test('reports an invalid database in one sentence', async () => {
  const database = join(folder, 'not-a-database');
  writeFileSync(database, 'x'.repeat(5000));
  const { output, ended } = start({ DATABASE_URL: `sqlite:${database}` });
  expect(await ended).toBe(1);
  expect(output.err.trim().split('\n')).toHaveLength(1);
  expect(output.err).toContain('storage-sqlite');
});

test('shares key and database between two first starts; only one creates the user', async () => {
  const both = [start(), start()];
  const urls = await Promise.all(both.map(({ listening }) => listening));
  await expect.poll(() => both.map(({ output }) => output.out).join('')).toContain('(shown only now');
  const passwords = both.flatMap(({ output }) => /user admin, password (\S+)/.exec(output.out)?.[1] ?? []);
  expect(passwords).toHaveLength(1);
  for (const url of urls) expect((await login(url, passwords[0] ?? '')).status).toBe(200);
  for (const { child, ended } of both) {
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  }
  expect(existsSync(join(folder, 'data', 'secret_key'))).toBe(true);
});

test('ends at once on a second signal', async () => {
  const { child, ended, listening, output } = start({ SHUTDOWN_GRACE_SECONDS: '60' });
  const { hostname, port } = new URL(await listening);
  const { connect } = await import('node:net');
  const open = connect(Number(port), hostname);
  open.on('error', () => {});
  open.write('GET /health HTTP/1.1\r\nHost: x\r\n');
  await once(open, 'connect');
  child.kill('SIGTERM');
  await expect.poll(() => output.out).toContain('Holdfast is stopping');
  expect(child.exitCode).toBeNull();
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
  open.destroy();
});
