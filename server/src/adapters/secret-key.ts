import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../config.js';

export interface SecretKeys {
  current: string;
  former: string[];
  /** Nobody had one before: it was made now. */
  isNew: boolean;
}

/** `next` stands only while the secrets are put under another key; `former` has the keys before, as a JSON list. */
export const keyFiles = (dataDirectory: string) => ({
  key: join(dataDirectory, 'secret_key'),
  next: join(dataDirectory, 'secret_key.next'),
  former: join(dataDirectory, 'secret_key.former'),
});

export const makeKeyText = (): string => randomBytes(32).toString('base64url');
export const shortestKeyText = 32;

/**
 * SECRET_KEY when given, else the key in the data folder's file, made at the first start. All other keys that the
 * data folder has are former ones, so that what they sealed still opens: at every moment of a change of the key too.
 */
export async function findSecretKeys(dataDirectory: string, given: string | undefined): Promise<SecretKeys> {
  const files = keyFiles(dataDirectory);
  const kept = await readKey(files.key);
  const isNew = given === undefined && kept === null;
  const current = given ?? kept ?? (await makeKey(files.key));
  const others = [kept, await readKey(files.next), ...(await readFormerKeys(dataDirectory))];
  const former = others.filter((key) => key !== null && key !== current) as string[];
  return { current, former, isNew };
}

/** The key in a file, or null when there is no file. */
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
    // Told below.
  }
  throw damaged(former);
}

const damaged = (file: string) =>
  new ConfigurationError(`The key file ${file} is damaged; put it back from a copy, or set SECRET_KEY.`);

function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ConfigurationError(
      `The key file ${file} can't be read (${error.code}); correct its owner and mode.`,
    );
  });
}

/** A link appears whole or not at all: of several processes that start together all read the same key. */
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
      `The key file ${file} can't be made (${code}); make the data folder writable.`,
    );
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKey(file);
  if (key === null)
    throw new ConfigurationError(`The key file ${file} vanished while it was made; start again.`);
  return key;
}
