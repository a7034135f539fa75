import { dirname, join } from 'node:path';
import type { FileSystem } from '../../src/foundation/ports/filesystem.js';

type Kind = 'file' | 'directory' | 'other' | 'denied';

/** A file system of paths in a map; `links` leads from the path of a symlink to its real path. */
export interface FakeFiles extends FileSystem {
  add(path: string, kind: Kind): void;
  has(path: string): boolean;
  below(path: string): string[];
  links: Map<string, string>;
  readOnly: Set<string>;
}

export function fakeFiles(): FakeFiles {
  const entries = new Map<string, Kind>([['/', 'directory']]);
  const links = new Map<string, string>();
  const readOnly = new Set<string>();
  const below = (path: string) =>
    [...entries.keys()].filter((each) => each !== path && each.startsWith(`${path}/`));

  const realPath = async (path: string): Promise<string> => {
    const target = links.get(path);
    if (target !== undefined) return target;
    return path === '/' ? '/' : join(await realPath(dirname(path)), path.slice(path.lastIndexOf('/') + 1));
  };
  const kind = async (path: string) => entries.get(await realPath(path)) ?? 'missing';

  return {
    links,
    readOnly,
    below,
    realPath,
    kind,
    isMounted: () => true,
    has: (path) => entries.has(path),
    add(path, what) {
      for (let parent = dirname(path); parent !== '/'; parent = dirname(parent))
        entries.set(parent, 'directory');
      entries.set(path, what);
    },
    writable: async (directory) => !readOnly.has(directory),
    isEmptyDirectory: async (path) => below(path).length === 0,
    measure: async () => 0,
    space: async () => null,
    disks: async () => [],
    list: () => Promise.reject(new Error('not listed here')),
    survey: async () => {},
    hasFile: async () => false,
    lookAt: async (path) => {
      const pointsTo = links.get(path);
      if (pointsTo !== undefined) return { path, state: 'symlink', pointsTo };
      return { path, state: (await kind(path)) === 'missing' ? 'missing' : 'present' };
    },
    async makeDirectories(path) {
      const made: string[] = [];
      for (let each = path; (await kind(each)) === 'missing'; each = dirname(each)) made.unshift(each);
      for (const each of made) entries.set(each, 'directory');
      return made;
    },
    async removeEmptyDirectories(paths) {
      for (const path of [...paths].reverse()) if (below(path).length === 0) entries.delete(path);
    },
    async removeContents(directory) {
      for (const path of below(directory)) entries.delete(path);
    },
  };
}
