import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { programOf } from '../src/postgres-programs.js';

let folder: string;
const { PATH } = process.env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-programs-'));
  process.env.PATH = join(folder, 'bin');
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true });
});

function install(place: string, version: string): string {
  const path = join(folder, place);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho 'pg_dump (PostgreSQL) ${version}'\n`, { mode: 0o755 });
  return path;
}
const find = (server: number) => programOf('pg_dump', server, join(folder, 'versions'));

it('names the package to install if missing', async () => {
  await expect(find(15)).rejects.toThrow(
    'pg_dump was not found: install the client programs of PostgreSQL 15 (postgresql-client).',
  );
});

it('names the version to install if all are too old', async () => {
  install('bin/pg_dump', '12.4');
  install('versions/13/bin/pg_dump', '13.1 (Debian 13.1-1)');
  await expect(find(15)).rejects.toThrow(
    'pg_dump is of PostgreSQL 13, but the server is of 15: install the client programs of version 15.',
  );
});

it('takes one of the same or a newer version, wherever it is', async () => {
  install('bin/pg_dump', '12.4');
  const newer = install('versions/16/bin/pg_dump', '16.2');
  expect(await find(15)).toBe(newer);
  expect(await find(12)).toBe('pg_dump');
});
