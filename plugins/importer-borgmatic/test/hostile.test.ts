import { describe, expect, it } from 'vitest';
import { read } from '../src/read.js';

const name = '/etc/borgmatic/c.yaml';
const environment = {
  takeOver: true,
  cron: null,
  timezone: 'UTC',
  answers: [],
  verdicts: [],
  found: null,
};
const repeated = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join('');

/** Seconds of this thread. */
const spent = () => process.cpuUsage().user / 1e6;

/** Each is below the limit of a request, and took minutes when its cost grew with the square of its size. */
describe('a hostile file', () => {
  it.each<[string, string, RegExp | null]>([
    ['aliases', `a: &x 1\nl: [${'*x, '.repeat(4_500)}1]\n`, null],
    ['too many aliases', `a: &x [1, 2, 3]\nl: [${'*x, '.repeat(30_000)}1]\n`, /too large/],
    ['an alias of itself', 'a: &x [*x]\n', /refers to nothing|Unresolved alias/],
    [
      'a laugh',
      `a: &a [1, 1, 1, 1, 1, 1, 1, 1]\n${repeated(20, (n) => `${String.fromCharCode(98 + n)}: &${String.fromCharCode(98 + n)} [${`*${String.fromCharCode(97 + n)}, `.repeat(8)}1]\n`)}`,
      /too large/,
    ],
    ['variables without an end', `k: "${'${a-'.repeat(60_000)}"\n`, null],
    ['names without an end', `k: "${'${'.repeat(100_000)}"\n`, null],
    ['a credential without an end', `k: "{credential ${' '.repeat(200_000)}"\n`, null],
    ['deep lists', `k: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`, /nested too deeply|call stack/],
    ['deep maps', repeated(700, (n) => `${' '.repeat(n)}a:\n`), /nested too deeply|call stack/],
    ['many merges', `b: &b {a: 1}\n${repeated(900, (n) => `x${n}: {<<: [*b, *b]}\n`)}`, null],
    ['one option many times', repeated(9_000, (n) => `keep_daily: ${n}\n`), null],
    ['many unknown options', repeated(9_000, (n) => `o${n}: 1\n`), /more than 1000 options/],
    ['a long name', `${'a.'.repeat(300)}: 1\n`, /name of an option is too long/],
    [
      'many repositories',
      `repositories:\n${repeated(100, (n) => `  - /r${n}\n`)}${repeated(900, (n) => `o${n}: 1\n`)}`,
      null,
    ],
    [
      'many repositories with long lists',
      `repositories:\n${repeated(100, (n) => `  - /r${n}\n`)}exclude_patterns: [${'a,'.repeat(9_000)}]\n`,
      /too many repositories/,
    ],
    [
      'many variables',
      `before_backup: [${repeated(2_000, (n) => `"\${A${n}}", `)}]\n`,
      /more than can be answered/,
    ],
  ])(
    'costs little: %s',
    (_what, content, problem) => {
      const began = spent();
      const found = read([{ name, content }], environment).unreadable?.problem ?? null;
      if (problem) expect(found).toMatch(problem);
      else expect(found).toBeNull();
      expect(spent() - began).toBeLessThan(10);
    },
    60_000,
  );
});
