import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limitCaches } from '../src/cache-limit.js';

const gibibyte = 2 ** 30;
let base: string;
let cache: string;
const indexes = () => join(cache, 'chunks.archive.d');

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'cache-limit-'));
  cache = join(base, '.cache', 'borg', 'abc');
  mkdirSync(indexes(), { recursive: true });
  writeFileSync(join(indexes(), 'index'), 'x'.repeat(1_000));
  writeFileSync(join(cache, 'chunks'), 'x');
});
afterEach(() => rmSync(base, { recursive: true }));

it('drops archive indexes on a nearly full disk and allows them again later', async () => {
  expect(await limitCaches(base, gibibyte)).toBe(true);
  expect(lstatSync(indexes()).isFile()).toBe(true);
  expect(lstatSync(join(cache, 'chunks')).isFile()).toBe(true);
  expect(await limitCaches(base, 3 * gibibyte)).toBe(false);
  expect(lstatSync(indexes()).isFile()).toBe(true);
  expect(await limitCaches(base, 5 * gibibyte)).toBe(false);
  expect(lstatSync(indexes()).isDirectory()).toBe(true);
});

it('leaves a cache alone when borg has locked it', async () => {
  mkdirSync(join(cache, 'lock.exclusive'));
  await limitCaches(base, gibibyte);
  expect(lstatSync(indexes()).isDirectory()).toBe(true);
});
