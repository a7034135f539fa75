import type { StorageSession } from '@holdfast/plugin-api';
import { settings } from './tables.js';

/** Null when it was never written. */
export async function readSetting(session: Pick<StorageSession, 'find'>, key: string) {
  const [row] = await session.find(settings, { where: { key }, limit: 1 });
  return row?.value ?? null;
}

/** Throws StoreError `unique` when another process wrote it first. */
export const addSetting = (
  session: Pick<StorageSession, 'insert'>,
  key: string,
  value: NonNullable<unknown>,
) => session.insert(settings, { key, value });

export async function writeSetting(
  session: StorageSession,
  key: string,
  value: NonNullable<unknown>,
): Promise<void> {
  if ((await session.update(settings, { key }, { value })) === 0) await addSetting(session, key, value);
}
