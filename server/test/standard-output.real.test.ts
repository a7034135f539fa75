import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asProgram } from './as-program.js';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-output-'));
let program: string;
beforeAll(async () => {
  program = await asProgram('adapters/standard-output.ts', folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The parameters of a program of these words, whose standard output is `out`. */
const programOf = (words: string) => [
  ...['--input-type=module', '--eval'],
  `import { standardOutput } from ${JSON.stringify(program)}; const out = standardOutput(); ${words}`,
];

const run = (words: string, output: 'pipe' | number = 'pipe') =>
  spawnSync(process.execPath, programOf(words), {
    encoding: 'utf8',
    stdio: ['ignore', output, 'pipe'],
    timeout: 60_000,
  });

const said = (words: string) => run(words).stdout;

const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}\n`).join('');
const write = (count: number) => `for (let n = 0; n < ${count}; n++) out.write('line ' + n + '\\n');`;

test('writes many lines of one turn completely and in order', () => {
  expect(said(write(50_000))).toBe(lines(50_000));
});

test('writes the lines of the last turn on exit or error', () => {
  expect(said(`${write(3)} process.exit(1);`)).toBe(lines(3));
  expect(said(`${write(3)} throw new Error('an end');`)).toBe(lines(3));
});

test('SIGKILL takes no line of the turns before', () => {
  const killed = `setTimeout(() => { out.write('lost'); process.kill(process.pid, 'SIGKILL'); }, 0);`;
  expect(said(`${write(3)} setImmediate(() => { ${killed} });`)).toMatch(new RegExp(`^${lines(3)}`));
});

test('does not wait for the disk', () => {
  const counted = `import fs from 'node:fs'; let waits = 0; fs.fsyncSync = () => { waits++; };`;
  expect(said(`${counted} out.write('a line\\n'); setTimeout(() => out.write(waits + ' waits'), 50);`)).toBe(
    'a line\n0 waits',
  );
});

test('survives a full disk and can still exit', () => {
  const full = openSync('/dev/full', 'w');
  const alive = `setTimeout(() => { out.write('more'); console.error('alive'); }, 50);`;
  const { status, stderr } = run(`${write(50_000)} ${alive}`, full);
  closeSync(full);
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'alive\n' });
});

test('keeps a limited amount in order until the disk has space', () => {
  const full = `import fs from 'node:fs'; const write = fs.writeSync;
    fs.writeSync = () => { throw Object.assign(new Error('no room'), { code: 'ENOSPC' }); };`;
  const later = `setTimeout(() => { fs.writeSync = write; out.write('later\\n'); }, 50);`;
  expect(said(`${full} ${write(1_000)} ${later}`)).toBe(`${lines(1_000)}later\n`);
  const bounded = said(`${full} ${write(200_000)} ${later} setTimeout(() => out.write('last'), 100);`);
  const kept = bounded.slice(0, bounded.indexOf('{'));
  expect(kept.length).toBeGreaterThan(1_000_000);
  expect(lines(200_000).startsWith(kept)).toBe(true);
  const note = JSON.parse(/^\{.*$/m.exec(bounded)?.[0] ?? '');
  expect(note).toMatchObject({ level: 'warn', lines: 200_001 - kept.split('\n').length + 1 });
  expect(bounded).toMatch(/}\nlast$/);
});

test('survives a closed reader', () => {
  const lines = `for (let n = 0; n < 3; n++) setTimeout(() => out.write('a line\\n'), n * 50);`;
  const text = `${lines} setTimeout(() => console.error('alive'), 200);`;
  const piped = spawnSync('sh', ['-c', '"$0" "$@" | true', process.execPath, ...programOf(text)], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(piped.stderr).toBe('alive\n');
});
