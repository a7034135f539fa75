import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { excludes } from '../src/exclude-matching.js';

/** Asks borg itself about the same patterns and paths. */
const files = [
  ...['a.tmp', 'a.tmpx', 'b/c.tmp', 'b/deep/er/d.txt', 'b/deep/x/d.txt', '[x]/y', 'x/y', 'x/.cache/z'],
  ...['cache/one', 'my cache/two', 'q?/w', 'qq/w', 'set-b', 'set-z', 'set-!', 'back\\slash', 'ü/ö', 'A/B'],
];
let folder: string;
let base: string;
let repository: string;
const environment = () => ({
  PATH: process.env.PATH,
  HOME: base,
  BORG_BASE_DIR: base,
  LC_ALL: 'C.UTF-8',
  BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
});

beforeAll(() => {
  const place = mkdtempSync(join(tmpdir(), 'excludes-'));
  [folder, base, repository] = ['tree', 'base', 'repository'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(base);
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), 'x');
  }
  execFileSync('borg', ['init', '-e', 'none', repository], { env: environment() });
});
afterAll(() => rmSync(join(base, '..'), { recursive: true, force: true }));

/** The files that a backup with this pattern would have. */
function byBorg(pattern: string): string[] {
  const args = ['create', '--dry-run', '--list', '--exclude', pattern, `${repository}::x`, folder];
  const { stderr, status } = spawnSync('borg', args, { env: environment(), encoding: 'utf8' });
  expect([pattern, status, status === 0 ? '' : stderr]).toEqual([pattern, 0, '']);
  return stderr
    .split('\n')
    .flatMap((line) => /^- (.*)$/.exec(line)?.[1] ?? [])
    .map((path) => path.replace(`${folder}/`, ''))
    .filter((path) => files.includes(path))
    .sort();
}

/** As a walk sees it, which does not enter excluded folders. */
function byUs(pattern: string): string[] {
  const { excluded, unknown } = excludes([pattern]);
  expect(unknown).toEqual([]);
  const left = (file: string) =>
    join(folder, file)
      .split('/')
      .some((_, n, all) => n > 0 && excluded(all.slice(0, n + 1).join('/')));
  return files.filter((file) => !left(file)).sort();
}

it.each([
  ...['*.tmp', '*/b', 'sh:**/*.tmp', 'sh:**/deep', 'sh:**/deep/', '*/deep/', 'sh:**/b/**/d.txt', '*d.txt'],
  ...['pp:~/b', 'pf:~/b', 'pp:~/b/', 'pf:~/a.tmp', '~/b/', 'sh:~/*', 'sh:~/*/deep', '~/*/deep', 'fm:~/b/c*'],
  ...['*/[x]', '*/[[]x]', '*/set-[a-c]', '*/set-[!a-c]', '*/set-[!]', '*/q?', 'sh:**/q[?]', '*back\\slash'],
  ...[
    'sh:**/.cache',
    '*/cache',
    '*cache',
    '*/ü',
    'sh:~/**/y',
    'sh:~/b/**',
    '/~/x',
    '*/a',
    '*/a/*',
    '*[*',
    '*',
  ],
])('%s', { timeout: 60_000 }, (pattern) => {
  const whole = pattern.replace('~', folder);
  expect(byUs(whole)).toEqual(byBorg(whole));
});

it('reports regular expressions and ambiguous patterns as unknown', () => {
  const patterns = ['re:\\.tmp$', 'sh:a**/b', 'zz:x', '[z-a]'];
  expect(excludes(patterns).unknown).toEqual(patterns);
});

it('answers at once, however hostile the pattern', () => {
  const { excluded } = excludes([`${'*a'.repeat(300)}b`, `sh:${'**/'.repeat(200)}b`]);
  const began = performance.now();
  expect(excluded(`/${'a/'.repeat(1_000)}`)).toBe(false);
  expect(performance.now() - began).toBeLessThan(5_000);
});
