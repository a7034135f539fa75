import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ExtractWatch } from '../src/operations/extract-watch.js';

async function told(lines: string[], folder: string) {
  const watch = new ExtractWatch({ folder });
  const { onLog } = watch.listeners({});
  for (const text of lines) onLog?.({ level: 'warning', text });
  await watch.settled();
  return watch.problem?.kind ?? null;
}

test('distinguishes a full disk from a large attribute by the free space', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'watch-'));
  try {
    const attribute =
      'when setting extended attribute user.a: fs full or xattr too big? [xattr len = 3000] ([Errno 28] No space left on device: 7)';
    expect(await told([attribute], folder)).toBeNull();
    expect(await told(['a/f: write: [Errno 28] No space left on device'], folder)).toBeNull();
    // /proc has no room at all.
    expect(await told(['a/f: write: [Errno 28] No space left on device'], '/proc')).toBe('no_space');
    expect(await told(['a/f: write: [Errno 122] Disk quota exceeded'], folder)).toBe('no_space');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('names the file when an attribute cannot be set', () => {
  const watch = new ExtractWatch({ folder: '/' });
  const { onLog, onEachProgress } = watch.listeners({});
  const text = 'when setting extended attribute user.a: too big';
  onEachProgress?.({ phase: 'extract', current: 1, currentPath: 'a/f' });
  onLog?.({ level: 'warning', text });
  expect(watch.named(['a/b: other', text])).toEqual(['a/b: other', `At a/f: ${text}`]);
});

test('ends an extraction when it writes more than was announced', () => {
  const watch = new ExtractWatch({ folder: '/', maxBytes: 1000 });
  const { onEachProgress } = watch.listeners({});
  onEachProgress?.({ phase: 'extract', current: 1000, currentPath: 'a/f' });
  expect(watch.signal.aborted).toBe(false);
  onEachProgress?.({ phase: 'extract', current: 3_000_000, currentPath: 'a/f' });
  expect(watch.signal.aborted).toBe(true);
  expect(watch.problem).toMatchObject({ kind: 'damaged', message: expect.stringContaining('a/f') });
});
