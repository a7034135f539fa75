import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { withinRoom } from '../../src/backup/restore/extract-within.js';

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
const { signal } = new AbortController();

test('ends an extraction when the disk reserve is reached', async () => {
  const room = { folder: tmpdir(), keepFree: Number.MAX_SAFE_INTEGER, signal };
  await expect(withinRoom(room, untilAborted)).rejects.toMatchObject({ kind: 'no_space' });
});

test('leaves an extraction alone with enough space or when cancelled', async () => {
  const room = { folder: tmpdir(), keepFree: 0 };
  expect(await withinRoom({ ...room, signal }, async () => 'done')).toBe('done');
  const cancelled = AbortSignal.abort();
  const work = async () => Promise.reject(new Error('cancelled'));
  await expect(withinRoom({ ...room, signal: cancelled }, work)).rejects.toThrow('cancelled');
});
