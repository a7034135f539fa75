import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { keyFiles, readFormerKeys, readKey } from './secret-key.js';

/**
 * Puts the new key on the disk before anything is sealed under it. A key that an earlier change left there, cut off
 * as it was, is taken again: something may be sealed under it.
 */
export async function prepareNextKey(dataDirectory: string, make: () => Promise<string>): Promise<string> {
  const { next } = keyFiles(dataDirectory);
  const left = await readKey(next);
  if (left !== null) return left;
  const key = await make();
  await writeWhole(next, `${key}\n`);
  return key;
}

/** Makes the next key the one of the data folder and `before` former ones. Safe at every step. */
export async function adoptNextKey(dataDirectory: string, before: readonly string[]): Promise<void> {
  const files = keyFiles(dataDirectory);
  const former = [...new Set([...before, ...(await readFormerKeys(dataDirectory))])];
  await writeWhole(files.former, `${JSON.stringify(former)}\n`);
  await rename(files.next, files.key);
  await syncFolder(files.key);
}

/** The file has its old content or the whole new one, also after a loss of power. */
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
