import { randomBytes } from 'node:crypto';
import { isStoreError } from '../kernel/errors.js';
import type { StorageBackend } from '../ports/storage.js';
import { settings } from '../schema/tables.js';

const key = 'installation';

/**
 * The lasting name of this installation, made at its first start. Of several processes that start together
 * one makes it, and all get the same.
 */
export async function findInstallation(storage: StorageBackend): Promise<string> {
  const known = await readName(storage);
  if (known !== null) return known;
  const name = randomBytes(8).toString('hex');
  try {
    await storage.insert(settings, { key, value: name });
    return name;
  } catch (error) {
    const others = isStoreError(error, 'unique') ? await readName(storage) : null;
    if (others !== null) return others;
    throw error;
  }
}

async function readName(storage: StorageBackend): Promise<string | null> {
  const [row] = await storage.find(settings, { where: { key } });
  return row === undefined ? null : String(row.value);
}
