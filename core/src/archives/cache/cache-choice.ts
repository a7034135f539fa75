import type { StorageSession } from '../../ports/storage.js';
import type { CacheChoice } from './cache-control.js';
import { settings } from '../../schema/tables.js';
import type { Dependencies } from '../../dependencies.js';

/** What was set through the interface; what is absent is as the environment says. */
export interface StoredCacheSettings {
  /** Envelope of the secret box, purpose `cache-url`; null: no external store. */
  url?: string | null;
  enabled?: boolean;
  ttlSeconds?: number;
  maxSizeMb?: number;
  warmAfterBackup?: boolean;
}

const key = 'cache';
export const cacheUrlPurpose = 'cache-url';

type Needs = Pick<Dependencies, 'storage' | 'secrets' | 'redactor' | 'settings'>;

export async function storedCacheSettings(storage: StorageSession): Promise<StoredCacheSettings> {
  const [row] = await storage.find(settings, { where: { key }, limit: 1 });
  return (row?.value ?? {}) as StoredCacheSettings;
}

export async function storeCacheSettings(storage: StorageSession, value: StoredCacheSettings): Promise<void> {
  if ((await storage.update(settings, { key }, { value })) > 0) return;
  await storage.insert(settings, { key, value });
}

export const sealUrl = ({ secrets }: Pick<Needs, 'secrets'>, url: string): string =>
  secrets.seal(cacheUrlPurpose, url);

/** The environment's choice with what is stored over it. */
export function choiceOf({ secrets, settings: { cache } }: Needs, stored: StoredCacheSettings): CacheChoice {
  const { url, ...rest } = stored;
  const wanted = url === undefined ? cache.url : url === null ? null : secrets.open(cacheUrlPurpose, url);
  return { ...cache, ...rest, url: wanted };
}

/** The choice that holds now, whichever instance made it. Its password is kept out of logs from now on. */
export async function currentCacheChoice(needs: Needs): Promise<CacheChoice> {
  const choice = choiceOf(needs, await storedCacheSettings(needs.storage));
  protectPassword(needs, choice.url);
  return choice;
}

export function protectPassword({ redactor }: Pick<Needs, 'redactor'>, url: string | null): void {
  if (url === null || !URL.canParse(url)) return;
  const { password } = new URL(url);
  if (password !== '')
    for (const secret of [password, decodeURIComponent(password)]) redactor.protect(secret);
}

/** For people: without the password. */
export function shownUrl(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.password !== '') url.password = '***';
  return url.href;
}
