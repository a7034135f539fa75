import { type AddedArchive, IndexFull, type NewArchive } from '@holdfast/core/server';
import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { ArchiveWriter } from './archive-writer.js';
import { deltaOf } from './delta.js';
import { positionOf } from './position.js';
import type { Sqlite } from './sqlite.js';

/** In a transaction. */
export async function addArchive(
  db: Sqlite,
  archive: NewArchive,
  entries: AsyncIterable<ArchiveEntry[]>,
  { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal },
): Promise<AddedArchive> {
  const known = await addedArchive(db, archive.toolId);
  if (known) return known;
  const most = (await usedBytes(db)) + maxBytes;
  const position = await positionOf(db, archive);
  const writer = await ArchiveWriter.begin(db, position);
  const check = async () => {
    signal?.throwIfAborted();
    if ((await usedBytes(db)) > most) throw new IndexFull(`the archive takes more than ${maxBytes} bytes`);
  };
  try {
    for await (const batch of entries) {
      for (const entry of batch) writer.add(entry);
      if (!writer.isFull) continue;
      await writer.flush();
      await check();
    }
    const counts = await writer.end();
    await check();
    const { toolId, start } = archive;
    const { series, place, neighbour } = position;
    const delta = neighbour?.isOlder ? await deltaOf(db, neighbour) : null;
    const values = [
      toolId,
      series,
      place,
      start,
      counts.entries,
      counts.files,
      delta && JSON.stringify(delta),
    ];
    await db.run('INSERT INTO archive VALUES (?, ?, ?, ?, ?, ?, ?)', values);
    return { entries: counts.entries, delta };
  } finally {
    // Those begun must not run into the end of the transaction.
    await writer.settled();
  }
}

/** As it was when it was added; null when it is not there. */
export async function addedArchive(db: Sqlite, toolId: string): Promise<AddedArchive | null> {
  const found = await db.get<{ entries: number; delta: string | null }>(
    'SELECT entries, delta FROM archive WHERE tool_id = ?',
    [toolId],
  );
  return found ? { entries: found.entries, delta: found.delta && JSON.parse(found.delta) } : null;
}

async function usedBytes(db: Sqlite): Promise<number> {
  const { bytes = 0 } =
    (await db.get<{ bytes: number }>(
      `SELECT (page_count - freelist_count) * page_size AS bytes
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )) ?? {};
  return bytes;
}
