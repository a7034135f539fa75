import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveIndex, ArchiveIndexes } from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import { archiveIndexIn } from './archive-index.js';
import { IndexFile, removeIndexFile } from './index-file.js';

const ending = '.sqlite';
const endings = [ending, `${ending}-wal`, `${ending}-shm`];
/** Files with open connections. */
const mostAwake = 16;
/** How long the size of a file is remembered that this process does not use. Milliseconds. */
const measuredForMs = 30_000;

/** Indexes of archives in SQLite files of the data folder. */
export function makeArchiveIndexes(needs: {
  dataDirectory: string;
  maxBytes: number;
  log: Log;
}): ArchiveIndexes {
  const { dataDirectory, maxBytes, log } = needs;
  const folder = join(dataDirectory, 'index');
  const files = new Map<string, IndexFile>();
  const indexes = new Map<string, ArchiveIndex>();
  /** Those used last are at the end. */
  const awake = new Set<string>();
  const measured = new Map<string, { bytes: number; at: number }>();

  const pathOf = (id: string): string => {
    if (!/^\w[\w.-]{0,199}$/.test(id)) throw new Error(`not the id of a repository: ${JSON.stringify(id)}`);
    return join(folder, `${id}${ending}`);
  };
  const wake = (id: string) => {
    awake.delete(id);
    awake.add(id);
    const [first = id] = awake;
    if (awake.size <= mostAwake) return;
    awake.delete(first);
    measured.delete(first);
    void files.get(first)?.rest();
  };
  const measure = async (id: string): Promise<number> => {
    const known = measured.get(id);
    const now = performance.now();
    if (known && !awake.has(id) && now - known.at < measuredForMs) return known.bytes;
    const sizes = endings.map((end) =>
      stat(join(folder, `${id}${end}`)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    measured.set(id, { bytes, at: now });
    return bytes;
  };
  const close = async (id: string) => {
    awake.delete(id);
    measured.delete(id);
    const file = files.get(id);
    files.delete(id);
    indexes.delete(id);
    await file?.close();
  };

  return {
    maxBytes,
    async open(id) {
      const path = pathOf(id);
      wake(id);
      const known = indexes.get(id);
      if (known) return known;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = files.get(id) ?? new IndexFile(path, id, log);
      files.set(id, file);
      await file.prepare();
      const index = indexes.get(id) ?? archiveIndexIn(file, maxBytes);
      if (files.get(id) === file) indexes.set(id, index);
      return index;
    },
    async sizes() {
      const names = await readdir(folder).catch(() => []);
      const ids = new Set(names.flatMap((name) => /^(.+)\.sqlite(?:-wal|-shm)?$/.exec(name)?.[1] ?? []));
      const sizes = new Map<string, number>();
      for (const id of ids) sizes.set(id, await measure(id));
      return sizes;
    },
    async remove(id) {
      const path = pathOf(id);
      await close(id);
      await removeIndexFile(path);
    },
    async close() {
      await Promise.all([...files.keys()].map(close));
    },
  };
}
