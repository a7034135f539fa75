import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../config.js';

export interface SecretKeys {
  current: string;
  former: string[];
  /** There was no key before; it was generated now. */
  isNew: boolean;
}

/** `next` exists only during a key rotation; `former` contains the previous keys as a JSON list. */
export const keyFiles = (dataDirectory: string) => ({
  key: join(dataDirectory, 'secret_key'),
  next: join(dataDirectory, 'secret_key.next'),
  former: join(dataDirectory, 'secret_key.former'),
});

export const makeKeyText = (): string => randomBytes(32).toString('base64url');
export const shortestKeyText = 32;

/**
 * Uses SECRET_KEY if it is set, otherwise the key file in the data folder, which the first start creates. All
 * other keys in the data folder are former keys, so that older secrets can still be decrypted, even during a
 * rotation.
 */
export async function findSecretKeys(dataDirectory: string, given: string | undefined): Promise<SecretKeys> {
  const files = keyFiles(dataDirectory);
  const stored = await readKey(files.key);
  const isNew = given === undefined && stored === null;
  const current = given ?? stored ?? (await makeKey(files.key));
  const others = [stored, await readKey(files.next), ...(await readFormerKeys(dataDirectory))];
  const former = others.filter((key) => key !== null && key !== current) as string[];
  return { current, former, isNew };
}

/** The key in a file, or null if there is no file. */
export async function readKey(file: string): Promise<string | null> {
  const text = await readText(file);
  if (text === null) return null;
  const key = text.trim();
  if (key.length >= shortestKeyText) return key;
  throw damaged(file);
}

export async function readFormerKeys(dataDirectory: string): Promise<string[]> {
  const { former } = keyFiles(dataDirectory);
  const text = await readText(former);
  if (text === null) return [];
  try {
    const keys: unknown = JSON.parse(text);
    if (Array.isArray(keys) && keys.every((key) => typeof key === 'string')) return keys;
  } catch {
    // Reported below.
  }
  throw damaged(former);
}

const damaged = (file: string) =>
  new ConfigurationError(`The key file ${file} is damaged. Restore it from a backup, or set SECRET_KEY.`);

function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ConfigurationError(
      `The key file ${file} can't be read (${error.code}). Check its owner and mode.`,
    );
  });
}

/** A hard link appears atomically, so that several processes that start together all read the same key. */
async function makeKey(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${makeKeyText()}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(
      `The key file ${file} can't be created (${code}). Make the data folder writable.`,
    );
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKey(file);
  if (key === null)
    throw new ConfigurationError(`The key file ${file} disappeared while it was created. Start again.`);
  return key;
}
