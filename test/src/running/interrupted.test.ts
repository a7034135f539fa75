import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAlive } from '../../../scripts/prepare/orphan.mjs';
import { root } from '../import-check.js';
import { waitFor } from '../wait-for.js';

let folder: string;

beforeEach(() => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache', 'interrupted-'));
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('ends all of its processes and removes its files on %s', async (signal, code) => {
  const note = join(folder, 'note');
  writeFileSync(
    join(folder, 'holds.test.ts'),
    `import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    import { test } from 'vitest';
    test('holds', () => {
      const { pid } = spawn('sleep', ['1000']);
      writeFileSync('${note}', JSON.stringify({ pid, folder: tmpdir(), worker: process.pid }));
      return new Promise(() => {});
    });`,
  );
  const runner = join(root, 'scripts', 'test.mjs');
  const child = spawn(process.execPath, [runner, '--ring', 'named', `--root=${folder}`], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const {
    pid,
    worker,
    folder: left,
  } = await waitFor(
    () =>
      existsSync(note) && readFileSync(note, 'utf8').endsWith('}') && JSON.parse(readFileSync(note, 'utf8')),
    { what: 'a test that runs' },
  );
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
  await waitFor(() => !isAlive(pid) && !isAlive(worker), { what: 'the end of its processes' });
  expect(existsSync(left)).toBe(false);
});
