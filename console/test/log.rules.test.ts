import { describe, expect, it } from 'vitest';
import { inLocalTime, pagesAfter } from '../src/screens/activity/log.rules.js';

const logOf = (total: number) => (offset: number) =>
  Promise.resolve({
    lines: Array.from({ length: Math.min(500, Math.max(0, total - offset)) }, (_, at) => ({
      line_number: offset + at + 1,
      content: 'x',
    })),
    total_lines: total,
  });

async function linesOf(after: number, total: number): Promise<number[]> {
  const counts: number[] = [];
  for await (const page of pagesAfter(after, logOf(total))) counts.push(page.lines.length);
  return counts;
}

describe('the log of a job', () => {
  it('has the clock of the page', () => {
    const line = '2026-11-25T07:29:32.276Z INFO Began at 2026-11-25T07:29:32Z';
    expect(inLocalTime(line, 'Europe/Berlin')).toBe('2026-11-25 08:29:32 INFO Began at 2026-11-25T07:29:32Z');
    expect(inLocalTime('  a file')).toBe('  a file');
  });

  it('is read to its end, however much was written since', async () => {
    expect(await linesOf(0, 1_234)).toEqual([500, 500, 234]);
    expect(await linesOf(200, 700)).toEqual([500]);
  });

  it('is requested once without new lines', async () => {
    expect(await linesOf(700, 700)).toEqual([0]);
    expect(await linesOf(0, 0)).toEqual([0]);
  });

  it('ends at an empty page despite a larger total', async () => {
    const counts: number[] = [];
    for await (const { lines } of pagesAfter(5, () => Promise.resolve({ lines: [], total_lines: 9 })))
      counts.push(lines.length);
    expect(counts.length).toBeLessThan(3);
  });
});
