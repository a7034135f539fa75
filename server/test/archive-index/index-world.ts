import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { makeArchiveIndexes } from '../../src/adapters/archive-index/index.js';

export const repository = 'a'.repeat(64);

export const entry = (path: string, more: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
  path,
  type: 'file',
  mode: '-rw-r--r--',
  user: 'u',
  group: 'g',
  size: 1,
  mtime: 1_000.5,
  hardLinkTarget: null,
  symlinkTarget: null,
  healthy: true,
  ...more,
});
export const directory = (path: string, mtime = 500): ArchiveEntry =>
  entry(path, { type: 'directory', size: 0, mtime });

export async function* stream(
  entries: Iterable<ArchiveEntry>,
  batchSize = 500,
): AsyncGenerator<ArchiveEntry[]> {
  let batch: ArchiveEntry[] = [];
  for (const each of entries) {
    if (batch.push(each) < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Of one host and one schedule, on the given day. */
export const archive = (day: number, more: { toolId?: string; name?: string; hostname?: string } = {}) => ({
  toolId: `id-${day}`,
  name: `daily-${day}`,
  hostname: 'host',
  start: day * 86_400_000,
  ...more,
});

export const containing = (text: string) => ({
  literal: text.normalize('NFC'),
  matches: (_: string, name: string) => name.toLowerCase().includes(text.toLowerCase()),
  limit: 100,
});

/** A folder with indexes, as one process opens them; `others` are further processes. */
export function indexWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'archive-index-'));
  const warnings: string[] = [];
  const log = {
    debug() {},
    info() {},
    warn: (message: string) => void warnings.push(message),
    error() {},
    child: () => log,
  };
  const opened: ReturnType<typeof makeArchiveIndexes>[] = [];
  const another = (maxBytes = 1e9) => {
    const indexes = makeArchiveIndexes({ dataDirectory: folder, maxBytes, log });
    opened.push(indexes);
    return indexes;
  };
  return {
    folder,
    file: join(folder, 'index', `${repository}.sqlite`),
    warnings,
    indexes: another(),
    another,
    files: () => readdirSync(join(folder, 'index')),
    async end() {
      for (const each of opened) await each.close();
      rmSync(folder, { recursive: true });
    },
  };
}
