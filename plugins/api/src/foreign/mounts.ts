import { readFileSync } from 'node:fs';

/** Of the kernel, so it answers whatever the mounts do. */
const table = '/proc/self/mountinfo';
const freshMs = 2_000;

/** What is mounted at a path. Texts have bytes as characters. */
export interface Mount {
  /** Of the kernel, as in `mnt_id` of `/proc/self/fdinfo`. */
  id: string;
  point: string;
  /** Of the file system, as `major:minor`. */
  device: string;
  type: string;
  /** What the file system says that it is on, such as `/dev/sda1` or `nas:/share`. */
  source: string;
  /** What of the file system is mounted: `/`, or a folder or subvolume in it. */
  root: string;
  writable: boolean;
}

let mounts: Mount[] = [];
let readAt = Number.NEGATIVE_INFINITY;

/** All mounts that can be reached, those with the longest paths first. */
export function mounted(): readonly Mount[] {
  const now = performance.now();
  if (now - readAt > freshMs) {
    mounts = read();
    readAt = now;
  }
  return mounts;
}

/** The mount point that a path is below, by its letters: nothing on the way is touched. Bytes as characters. */
export const mountAbove = (path: string): string =>
  mounted().find(({ point }) => isBelow(path, point))?.point ?? '/';

export const isBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(above === '/' ? '/' : `${above}/`);

function read(): Mount[] {
  try {
    return parseMounts(readFileSync(table, 'latin1'));
  } catch {
    return [];
  }
}

export function parseMounts(text: string): Mount[] {
  // A later mount at the same path hides an earlier one.
  const byPoint = new Map<string, Mount>();
  for (const line of text.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [id = '', , device = '', root = '', escaped, options = ''] = before.split(' ');
    const [type = '', source = '', superOptions = ''] = after.split(' ');
    if (escaped === undefined) continue;
    const point = unescaped(escaped);
    const writable = [options, superOptions].every((some) => !some.split(',').includes('ro'));
    byPoint.set(point, {
      id,
      point,
      device,
      type,
      source: unescaped(source),
      root: unescaped(root),
      writable,
    });
  }
  return [...byPoint.values()].sort((a, b) => b.point.length - a.point.length);
}

/** Spaces, tabs, line feeds and backslashes are written as octal numbers. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
