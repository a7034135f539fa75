import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../config.js';

export interface SecretKeys {
  current: string;
  former: string[];
}

/**
 * SECRET_KEY when given, else the key in the data folder's file, made at the first start. Once SECRET_KEY is
 * given the file's key stays a former one, so that what it sealed still opens.
 */
export async function findSecretKeys(dataDirectory: string, given: string | undefined): Promise<SecretKeys> {
  const file = join(dataDirectory, 'secret_key');
  const kept = await readKey(file);
  if (given !== undefined) return { current: given, former: kept === null ? [] : [kept] };
  return { current: kept ?? (await makeKey(file)), former: [] };
}

async function readKey(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ConfigurationError(
      `The key file ${file} can't be read (${error.code}); correct its owner and mode.`,
    );
  });
  if (text === null) return null;
  const key = text.trim();
  if (key.length >= 32) return key;
  throw new ConfigurationError(
    `The key file ${file} is damaged; put it back from a copy, or set SECRET_KEY.`,
  );
}

/** A link appears whole or not at all: of several processes that start together all read the same key. */
async function makeKey(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
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
