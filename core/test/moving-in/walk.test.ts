import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freeNames } from '../../src/migration/moving-in/free-names.rules.js';
import { recognise } from '../../src/migration/moving-in/recognise.rules.js';
import { walkFolders } from '../../src/migration/moving-in/walk.fs.js';
import {
  type FoundRepository,
  isWithin,
  nameProblem,
  newTally,
  type WalkLimits,
  walkLimits,
} from '../../src/migration/moving-in/walk.rules.js';

const id = '0123456789abcdef'.repeat(4);
const config = (more = '') => `[repository]\nversion = 1\nsegments_per_dir = 1000\n${more}id = ${id}\n`;
const readme = 'This is a Borg Backup repository.\nSee …\n';

let root: string;
const at = (...names: string[]) => join(root, ...names);

function makeRepository(path: string): void {
  mkdirSync(join(path, 'data', '0'), { recursive: true });
  writeFileSync(join(path, 'config'), config('key = hqlhbGdvcml0aG2mc2hhMjU2\n'));
  writeFileSync(join(path, 'README'), readme);
  for (const index of ['index.9', 'index.10']) writeFileSync(join(path, index), '');
  utimesSync(join(path, 'index.10'), 1_700_000_000, 1_700_000_000);
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'walk-'));
  for (const path of ['a', 'b/c/d', 'skipped/e', 'odd \n ü']) makeRepository(at(path));
  cpSync(at('a'), at('b/c/d/data/inside'), { recursive: true });
  symlinkSync('..', at('b/loop'));
  symlinkSync(at('a'), at('b/link'));
  mkdirSync(at('other/data'), { recursive: true });
  writeFileSync(at('other/config'), '[core]\n');
  const undecodable = Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff])]);
  mkdirSync(Buffer.concat([undecodable, Buffer.from('/data/0')]), { recursive: true });
  writeFileSync(Buffer.concat([undecodable, Buffer.from('/config')]), config());
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function walked(more: Partial<WalkLimits> = {}, signal = new AbortController().signal) {
  const found: FoundRepository[] = [];
  const tally = newTally();
  const limits = { ...walkLimits, depth: 8, ...more };
  const onFound = async (each: FoundRepository) => void found.push(each);
  await walkFolders({ root, limits, tally, signal, skipped: new Set([at('skipped')]), onFound });
  return { found, tally, paths: found.map(({ path }) => path.slice(root.length + 1)).toSorted() };
}

describe('a walk', () => {
  test('finds each repository once, none inside another or through symlinks', async () => {
    const { found, tally, paths } = await walked();
    expect(paths).toEqual(['a', 'b/c/d', 'bad\udcff', 'odd \n ü']);
    expect(tally).toMatchObject({ found: 4, unreadable: 0, truncated: false });
    expect(found.find(({ path }) => path.endsWith('/a'))).toMatchObject({
      toolId: id,
      keyInside: true,
      broken: null,
      modified: 1_700_000_000_000,
    });
    expect(found.find(({ path }) => path.includes('bad'))).toMatchObject({ keyInside: false });
  });

  test('is bounded', async () => {
    expect((await walked({ depth: 1 })).paths).toEqual(['a', 'bad\udcff', 'odd \n ü']);
    const few = await walked({ folders: 2 });
    expect([few.tally.truncated, few.tally.folders < 6]).toEqual([true, true]);
    expect((await walked({ found: 1 })).tally.truncated).toBe(true);
    expect((await walked({ ms: 0 })).tally).toMatchObject({ truncated: true, folders: 0 });
  });

  test('ends on cancel and on errors of a reader', async () => {
    const cancelled = AbortSignal.abort(new Error('enough'));
    await expect(walked({}, cancelled)).rejects.toThrow('enough');
    const onFound = () => Promise.reject(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }));
    const walk = { root, limits: { ...walkLimits, depth: 8 }, tally: newTally(), skipped: new Set<string>() };
    const signal = new AbortController().signal;
    await expect(walkFolders({ ...walk, signal, onFound })).rejects.toThrow('full');
    await expect(walkFolders({ ...walk, root: at('gone'), signal, onFound })).rejects.toThrow('ENOENT');
  });
});

describe('a folder', () => {
  const code = (sight: Parameters<typeof recognise>[0]) => recognise(sight)?.broken?.code ?? null;

  test('is a repository, a broken one, or none', () => {
    const whole = { config: config(), readme, hasData: true };
    expect(recognise(whole)).toEqual({ toolId: id, keyInside: false, broken: null });
    expect(recognise({ ...whole, hasData: null })?.broken).toBeNull();
    expect(code({ ...whole, hasData: false })).toBe('found_without_data');
    expect(code({ ...whole, config: null })).toBe('found_without_config');
    expect(code({ ...whole, config: '\0\0' })).toBe('found_config_damaged');
    expect(code({ ...whole, config: config().replace(id, 'short') })).toBe('found_config_damaged');
    expect(code({ ...whole, config: '[repository]\nversion = 2\n' })).toBe('found_other_version');
    expect(recognise({ config: '[core]', readme: 'Read me', hasData: true })).toBeNull();
    expect(recognise({ config: null, readme: null, hasData: true })).toBeNull();
  });

  test('may have a name that the tool can’t be given', () => {
    const problems = ['/a', '/a b', '/a\nb', '/a\udcff', '/a::b', '/a:'].map(
      (path) => nameProblem(path)?.code,
    );
    const unusable = 'found_name_unusable';
    expect(problems).toEqual([undefined, undefined, unusable, unusable, unusable, unusable]);
  });

  test('is recognised inside another', () => {
    const found = new Set(['/a/b']);
    expect(['/a/b', '/a/b/c/d', '/a/bc', '/a'].map((path) => isWithin(path, found))).toEqual([
      ...[true, true, false, false],
    ]);
  });
});

test('gets a free name from its path', () => {
  expect(freeNames(['/srv/nas', '/mnt/nas', '/srv/borg', '/x/borg', 'nas', '/'], ['x-borg'])).toEqual([
    ...['nas', 'mnt-nas', 'srv-borg', 'x-borg-2', 'nas-2', 'repository'],
  ]);
});
