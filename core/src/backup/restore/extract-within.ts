import { DriverError } from '@holdfast/plugin-api/driver';
import { repeat } from '../../foundation/kernel/index.js';
import { freeBytes } from './stage/target-files.fs.js';

/** Bytes that an extraction leaves free on the disk for other programs. */
export const reserveBytes = 64 * 1024 * 1024;

/** Of a small or nearly full target, a part is used as well. */
export const keptFree = ({ free, needed }: { free: number; needed: number }): number =>
  Math.min(reserveBytes, free < needed ? free / 10 : (free - needed) / 2);

interface Room {
  folder: string;
  keepFree: number;
  signal: AbortSignal;
}

/** Ends the work with DriverError `no_space` when less than `keepFree` is left where it writes. */
export async function withinRoom<T>(
  { folder, keepFree, signal }: Room,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const full = new AbortController();
  const look = async () => {
    if ((await freeBytes(folder)) < keepFree) full.abort();
  };
  const watch = repeat(look, { everyMs: 100, onError: () => undefined });
  try {
    return await work(AbortSignal.any([signal, full.signal]));
  } catch (error) {
    if (!full.signal.aborted || signal.aborted) throw error;
    const text = 'Too little space is left to extract the files, so this was stopped. Free some space.';
    throw new DriverError('no_space', text, { cause: error });
  } finally {
    void watch.stop();
  }
}
