import { readFileSync } from 'node:fs';

/** Of the kernel, so it answers whatever the mounts do. */
const table = '/proc/self/mountinfo';
const freshMs = 2_000;

let points: string[] = [];
let readAt = Number.NEGATIVE_INFINITY;

/** The mount point that a path is below, by its letters: nothing on the way is touched. Bytes as characters. */
export function mountAbove(path: string): string {
  const now = performance.now();
  if (now - readAt > freshMs) {
    points = read();
    readAt = now;
  }
  return points.find((point) => isBelow(path, point)) ?? '/';
}

export const isBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(above === '/' ? '/' : `${above}/`);

function read(): string[] {
  try {
    const lines = readFileSync(table, 'latin1').split('\n');
    const all = lines.flatMap((line) => line.split(' ')[4] ?? []).map(unescaped);
    return [...new Set(all)].sort((a, b) => b.length - a.length);
  } catch {
    return [];
  }
}

/** Spaces, tabs, line feeds and backslashes are written as octal numbers. */
const unescaped = (point: string): string =>
  point.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
