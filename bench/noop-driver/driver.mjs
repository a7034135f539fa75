import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { definePlugin } from '@holdfast/plugin-api';
import { readStart } from '@holdfast/plugin-api/files';
import { z } from 'zod';

const result = (value) => ({ value, warnings: [] });
const idOf = (text) => createHash('sha256').update(text).digest('hex');
const stats = { originalSize: 1, compressedSize: 1, deduplicatedSize: 1, files: 1 };

/** A driver whose operations complete at once, without a process. */
export default definePlugin({
  kind: 'driver',
  configuration: z.object({}).passthrough(),
  create: () => ({
    version: async () => ({ name: 'nothing', version: '1.0', line: 'nothing 1.0' }),
    checkCustomFlags: () => [],
    init: async () => result({ id: randomBytes(32).toString('hex'), keyFile: null }),
    open: async ({ uid }) =>
      result({ id: idOf(uid), encryption: 'none', lastModified: Date.now(), storedSize: 1 }),
    createArchive: async ({ uid }, { name, comment }, { beforeStart } = {}) => {
      beforeStart?.();
      const now = Date.now();
      const archive = { id: idOf(`${uid} ${name}`), name, comment, start: now, end: now };
      return result({
        archive: { ...archive, hostname: 'host', username: 'user' },
        stats,
        repositoryStoredSize: 1,
      });
    },
    listArchives: async () => result([]),
    archiveInfo: async () => result({ stats }),
    listEntries: async function* () {},
    readFile: () => Readable.from([]),
    deleteArchives: async (_, { archives }) => result({ deleted: [], missing: archives }),
    compact: async () => result({ freedBytes: 0 }),
    idAt: async (path) =>
      (await readStart(join(path, 'config'), 1_000).catch(() => null))?.toString() ?? null,
    lockHolder: async () => null,
    breakLock: async () => result(null),
    exportKey: async () => result({ text: '' }),
    importKey: async (_, { text }) => result({ keyFile: text }),
    endProcess: async () => 'gone',
    forget: async () => {},
  }),
});
