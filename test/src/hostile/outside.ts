import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { mark } from './cases.js';

const slash = Buffer.from('/');
const within = (folder: Buffer, name: Buffer) => Buffer.concat([folder, slash, name]);

export interface Found {
  path: string;
  stats: BigIntStats;
  bytes: Buffer;
}

/** Everything below a folder, symlinks not followed. What goes away meanwhile is nobody's. */
export function* everythingBelow(
  folder: string | Buffer,
  skip: ReadonlySet<string> = new Set(),
): Generator<Found> {
  const at = Buffer.from(folder as string);
  let names: Buffer[] = [];
  try {
    names = readdirSync(at, { encoding: 'buffer' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  for (const name of names) {
    const bytes = within(at, name);
    const path = bytes.toString('latin1');
    const stats = lstatSync(bytes, { bigint: true, throwIfNoEntry: false });
    if (!stats || skip.has(path)) continue;
    yield { path, stats, bytes };
    if (stats.isDirectory()) yield* everythingBelow(bytes, skip);
  }
}

/** Bytes, links, owners, modes and times of a tree; a new name of one of its files shows in the number of its links. */
export function factsOf(folder: string): string[] {
  const own = { path: folder, stats: lstatSync(folder, { bigint: true }), bytes: Buffer.from(folder) };
  return [own, ...everythingBelow(folder)].map(({ path, stats, bytes }) => {
    const { ino, mode, nlink, uid, gid, size, mtimeNs, ctimeNs } = stats;
    const content = stats.isFile()
      ? createHash('sha256').update(readFileSync(bytes)).digest('hex')
      : stats.isSymbolicLink()
        ? readlinkSync(bytes, 'latin1')
        : '';
    return [path, ino, mode.toString(8), nlink, uid, gid, size, mtimeNs, ctimeNs, content].join(' ');
  });
}

/** Names of archives that stand where none should: below the folders, and beside everything above them. */
export function strays(folders: readonly string[], allowed: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const folder of folders) {
    for (const { path } of everythingBelow(folder, allowed))
      if (path.slice(path.lastIndexOf('/')).includes(mark)) found.add(path);
    for (let above = dirname(folder); ; above = dirname(above)) {
      for (const name of readdirSync(above)) if (name.includes(mark)) found.add(`${above}/${name}`);
      if (above === '/') break;
    }
  }
  return [...found];
}
