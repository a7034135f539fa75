import { isStoreError, type StorageBackend } from '@holdfast/plugin-api';
import { heldRow, takeLease } from '../../foundation/kernel/index.js';
import { type DutyRow, duties } from './tables.js';

interface Taking {
  name: string;
  now: number;
  /** How long it belongs to the taker if the process dies. Milliseconds. */
  holdMs: number;
  /** When a duty that was never done is due first. Default: now. */
  firstAt?: number;
  isDue(row: DutyRow): boolean;
}

/** Takes a duty. Null when it is not due, another instance has it, or another one was faster. */
export async function takeDuty(
  storage: StorageBackend,
  { name, now, holdMs, firstAt = now, isDue }: Taking,
): Promise<DutyRow | null> {
  const row = (await readDuty(storage, name)) ?? (await addDuty(storage, name, firstAt));
  if (!row || isHeld(row, now, holdMs) || !isDue(row)) return null;
  return takeLease(storage, duties, row, { patch: { held_until: now + holdMs } });
}

/** Gives a duty back. Changes nothing when another instance has taken it since. */
export async function endDuty(
  storage: StorageBackend,
  row: DutyRow,
  result: Pick<DutyRow, 'due_at'> & Partial<Pick<DutyRow, 'place' | 'note'>>,
): Promise<void> {
  await storage.update(duties, heldRow(row), { held_until: null, ...result });
}

export async function readDuty(storage: Pick<StorageBackend, 'find'>, name: string): Promise<DutyRow | null> {
  const [row] = await storage.find(duties, { where: { name }, limit: 1 });
  return row ?? null;
}

export const forgetDuty = (storage: StorageBackend, name: string) => storage.remove(duties, { name });

/** A hold further ahead than any instance could set comes from a clock that was ahead. */
const isHeld = ({ held_until }: DutyRow, now: number, holdMs: number) =>
  held_until !== null && held_until > now && held_until <= now + holdMs;

const addDuty = (storage: StorageBackend, name: string, due_at: number): Promise<DutyRow | null> =>
  storage.insert(duties, { name, due_at }).catch((error: unknown) => {
    if (isStoreError(error, 'unique')) return null;
    throw error;
  });
