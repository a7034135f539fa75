import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import {
  type ArchiveIndex,
  type ArchiveIndexes,
  type IndexedArchive,
  IndexFull,
} from '../../src/foundation/ports/archive-index.js';

/** Only which archives there are: an entry takes one byte. */
export function memoryIndexes(maxBytes: number) {
  const all = new Map<string, Map<string, IndexedArchive>>();
  const unused = () => Promise.reject(new Error('not used here'));
  const indexOf = (archives: Map<string, IndexedArchive>): ArchiveIndex => ({
    archives: async () => [...archives.values()].sort((a, b) => a.start - b.start),
    find: async (id) => (archives.has(id) ? { entries: 0, delta: null } : null),
    async add({ toolId, start }, entries, options) {
      const found: ArchiveEntry[] = [];
      for await (const batch of entries) found.push(...batch);
      if (found.length > (options?.maxBytes ?? maxBytes)) throw new IndexFull();
      archives.set(toolId, { toolId, start, entries: found.length });
      return { entries: found.length, delta: null };
    },
    remove: async (ids) => ids.forEach((id) => void archives.delete(id)),
    entries: () => {
      throw new Error('not used here');
    },
    search: unused,
    history: unused,
    lost: unused,
    changes: unused,
    growth: unused,
  });
  const indexes: ArchiveIndexes = {
    maxBytes,
    async open(id) {
      const archives = all.get(id) ?? new Map<string, IndexedArchive>();
      all.set(id, archives);
      return indexOf(archives);
    },
    sizes: async () =>
      new Map(
        [...all].map(([id, archives]) => [
          id,
          [...archives.values()].reduce((sum, { entries }) => sum + entries, 0),
        ]),
      ),
    remove: async (id) => void all.delete(id),
    close: async () => undefined,
  };
  return { indexes, all };
}
