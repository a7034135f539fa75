import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const program = new URL('../dist/adapters/standard-output.js', import.meta.url).href;

/** What a program of these words writes; `out` is the standard output. */
function said(words: string): string {
  const text = `import { standardOutput } from ${JSON.stringify(program)}; const out = standardOutput(); ${words}`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8' }).stdout;
}

const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}\n`).join('');
const write = (count: number) => `for (let n = 0; n < ${count}; n++) out.write('line ' + n + '\\n');`;

test('many lines of one turn come whole and in order', () => {
  expect(said(write(50_000))).toBe(lines(50_000));
});

test('the lines of the last turn come when the process ends itself, or by an error', () => {
  expect(said(`${write(3)} process.exit(1);`)).toBe(lines(3));
  expect(said(`${write(3)} throw new Error('an end');`)).toBe(lines(3));
});

test('SIGKILL takes no line of the turns before', () => {
  const killed = `setTimeout(() => { out.write('lost'); process.kill(process.pid, 'SIGKILL'); }, 0);`;
  expect(said(`${write(3)} setImmediate(() => { ${killed} });`)).toMatch(new RegExp(`^${lines(3)}`));
});
