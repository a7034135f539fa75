import { expect, it } from 'vitest';
import { shellScriptRunner } from '../src/adapters/scripts/shell-script-runner.js';

// In a process of its own, whose memory is what this test makes of it.
it('keeps head and tail of 100 MB in little memory', async () => {
  let count = 0;
  const before = process.memoryUsage().rss;
  const { stdout, exitCode } = await shellScriptRunner.run({
    content: 'echo first; yes "a line of the middle" | head -c 100000000; echo last',
    environment: {},
    timeoutSeconds: 60,
    onLine: () => {
      count += 1;
    },
  });
  expect(exitCode).toBe(0);
  expect(stdout.startsWith('first\na line of the middle\n')).toBe(true);
  expect(stdout.endsWith('last\n')).toBe(true);
  expect(stdout).toMatch(/… \d{7} lines omitted …/);
  expect(stdout.length).toBeLessThan(200_000);
  expect(count).toBeLessThan(1_100);
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
});
