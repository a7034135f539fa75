/** What the service was given by its environment may be a secret: no program that it starts gets it all. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const call = /(?<![.\w])(?:spawn|execFile|exec|fork|spawnSync|execFileSync|execSync)\(/g;
const startsPrograms = /from '(node:)?child_process'/;

/** The text from the opening bracket of a call to its closing one. */
function argumentsFrom(text: string, start: number): string {
  let depth = 0;
  for (let end = start; end < text.length; end += 1) {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
    if (depth === 0) return text.slice(start, end);
  }
  return text.slice(start);
}

const callsIn = (text: string) =>
  startsPrograms.test(text)
    ? [...text.matchAll(call)].map((found) => argumentsFrom(text, found.index + found[0].length - 1))
    : [];

/** Options can be in a constant above the call. */
const hasOwn = (given: string, text: string) => {
  const constant = /\boptions\b/.test(given) ? /\bconst options = \{[^}]*\}/.exec(text)?.[0] : '';
  return (
    /\benv\b/.test(given + constant) &&
    !/\benv: process\.env\b(?!\.)|\.\.\.process\.env\b/.test(given + constant)
  );
};
const inherits = (text: string) => callsIn(text).filter((given) => !hasOwn(given, text));

const folders = [
  'core',
  'server',
  ...readdirSync(join(root, 'plugins'))
    .filter((name) => name !== 'testkit')
    .map((name) => join('plugins', name)),
];
const sources = () =>
  folders
    .map((folder) => join(root, folder, 'src'))
    .filter(existsSync)
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => /\.m?[jt]s$/.test(file))
    .map((file) => [file, readFileSync(file, 'utf8')] as const);

test('gives each program that the service starts an environment of its own', () => {
  const texts = sources();
  expect(texts.flatMap(([, text]) => callsIn(text)).length).toBeGreaterThan(10);
  expect(texts.flatMap(([file, text]) => inherits(text).map((given) => `${file}: ${given}`))).toEqual([]);
});

test.each(["{ stdio: 'ignore' }", '{ env: process.env }', '{ env: { ...process.env, LANG: "C" } }'])(
  'finds a program that gets the whole environment with %s',
  (options) => {
    const text = `import { spawn } from 'node:child_process';\nspawn('flock', ['-n'], ${options});`;
    expect(inherits(text)).toHaveLength(1);
    expect(inherits(text.replace(options, '{ env: { PATH: process.env.PATH } }'))).toEqual([]);
  },
);
