import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { keyFiles, readFormerKeys, readKey } from './secret-key.js';

/**
 * Writes the new key to disk before it is used. Reuses the key of an interrupted rotation, because secrets
 * may already be encrypted with it.
 */
export async function prepareNextKey(dataDirectory: string, make: () => Promise<string>): Promise<string> {
  const { next } = keyFiles(dataDirectory);
  const left = await readKey(next);
  if (left !== null) return left;
  const key = await make();
  await writeWhole(next, `${key}\n`);
  return key;
}

/** Makes the next key the current one and the keys in `before` former ones. Safe to interrupt at any step. */
export async function adoptNextKey(dataDirectory: string, before: readonly string[]): Promise<void> {
  const files = keyFiles(dataDirectory);
  const former = [...new Set([...before, ...(await readFormerKeys(dataDirectory))])];
  await writeWhole(files.former, `${JSON.stringify(former)}\n`);
  await rename(files.next, files.key);
  await syncFolder(files.key);
}

/** Writes atomically, even across a power failure. */
async function writeWhole(file: string, content: string): Promise<void> {
  const draft = `${file}.draft`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file).catch(async (error: unknown) => {
    await unlink(draft).catch(() => {});
    throw error;
  });
  await syncFolder(file);
}

async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}
