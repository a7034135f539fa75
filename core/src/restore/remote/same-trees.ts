import { readdir } from 'node:fs/promises';
import { joinPath } from '../../archives/archive-path.rules.js';
import { bytesOfName, nameOfBytes } from '../../archives/lossless-bytes.rules.js';
import type { Standing } from '../stage/target.js';
import { look } from '../stage/target-files.js';
import { piecesOf } from './host-session.js';

export interface Missing {
  /** A file, directory or symlink that did not arrive whole; null when all did. */
  path: string | null;
  /** Devices and the like. */
  special: number;
}

/** Compares a folder of this machine with a list of `type size path`, each with a NUL behind it. */
export async function whatIsMissing(tree: string, list: AsyncIterable<Buffer>): Promise<Missing> {
  const arrived = new Set<string>();
  for await (const piece of piecesOf(list)) {
    const [, type = '', size = '', path = ''] = /^(.) (\d+) (.*)$/s.exec(nameOfBytes(piece)) ?? [];
    arrived.add(factsOf(type, size, path));
  }
  const missing: Missing = { path: null, special: 0 };
  for await (const { path, type, size } of entriesBelow(tree, '')) {
    if (arrived.has(factsOf(type, `${size}`, path))) continue;
    if ('fdl'.includes(type)) missing.path ??= path;
    else missing.special += 1;
  }
  return missing;
}

interface Entry {
  path: string;
  /** As `find` has it; `?` for what is neither file, directory nor symlink. */
  type: 'f' | 'd' | 'l' | '?';
  size: bigint;
}

const factsOf = (type: string, size: string, path: string): string => {
  if (type === 'f' || type === 'l') return `${type} ${size} ${path}`;
  return `${type === 'd' ? type : '?'} ${path}`;
};

async function* entriesBelow(tree: string, folder: string): AsyncGenerator<Entry> {
  const names = await readdir(bytesOfName(joinPath(tree, folder)), { encoding: 'buffer' });
  for (const name of names) {
    const path = joinPath(folder, nameOfBytes(name));
    const stats = await look(joinPath(tree, path));
    if (!stats) continue;
    yield { path, type: typeOf(stats), size: stats.size };
    if (stats.isDirectory()) yield* entriesBelow(tree, path);
  }
}

function typeOf(stats: Standing): Entry['type'] {
  if (stats.isFile()) return 'f';
  if (stats.isDirectory()) return 'd';
  return stats.isSymbolicLink() ? 'l' : '?';
}
