import type { CacheSettingsInput, CacheSettingsView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { PluginError } from '../../../engine/plugins/index.js';
import {
  AppError,
  invalid,
  isAppError,
  type Pace,
  paces,
  readSetting,
  repeat,
  say,
  writeSetting,
} from '../../../foundation/kernel/index.js';
import type { ArchivesNeeds } from '../needs.js';
import type { CacheChoice } from './cache-control.js';

/** Settings changed through the API. Absent ones come from the environment. */
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

type Needs = Pick<ArchivesNeeds, 'storage' | 'secrets' | 'redactor' | 'settings'>;

export async function storedCacheSettings(storage: StorageSession): Promise<StoredCacheSettings> {
  return ((await readSetting(storage, key)) ?? {}) as StoredCacheSettings;
}

const storeCacheSettings = (storage: StorageSession, value: StoredCacheSettings): Promise<void> =>
  writeSetting(storage, key, value);

const sealUrl = ({ secrets }: Pick<Needs, 'secrets'>, url: string): string =>
  secrets.seal(cacheUrlPurpose, url);

/** The settings from the environment, overridden by the stored ones. */
function choiceOf({ secrets, settings: { cache } }: Needs, stored: StoredCacheSettings): CacheChoice {
  const { url, ...rest } = stored;
  const wanted = url === undefined ? cache.url : url === null ? null : secrets.open(cacheUrlPurpose, url);
  return { ...cache, ...rest, url: wanted };
}

/** The current settings, whichever instance stored them. Their password is redacted from now on. */
export async function currentCacheChoice(needs: Needs): Promise<CacheChoice> {
  const choice = choiceOf(needs, await storedCacheSettings(needs.storage));
  protectPassword(needs, choice.url);
  return choice;
}

function protectPassword({ redactor }: Pick<Needs, 'redactor'>, url: string | null): void {
  if (url === null || !URL.canParse(url)) return;
  const { password } = new URL(url);
  if (password !== '')
    for (const secret of [password, decodeURIComponent(password)]) redactor.protect(secret);
}

/** The URL without its password, for display. */
export function shownUrl(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.password !== '') url.password = '***';
  return url.href;
}

type CacheSettingsNeeds = Pick<
  ArchivesNeeds,
  'cacheControl' | 'storage' | 'secrets' | 'redactor' | 'settings'
>;

const fields = {
  url: 'url',
  enabled: 'enabled',
  ttl_seconds: 'ttlSeconds',
  max_size_mb: 'maxSizeMb',
  warm_after_backup: 'warmAfterBackup',
} as const satisfies Record<keyof CacheSettingsInput, keyof StoredCacheSettings>;

export async function getCacheSettings(needs: CacheSettingsNeeds): Promise<CacheSettingsView> {
  return viewOf(needs, await storedCacheSettings(needs.storage));
}

/**
 * Changes the given settings. Null resets a setting to the environment; an empty URL turns the external store off.
 * Settings are applied before they are stored. Throws AppError `invalid` when the store can't be used; nothing has
 * changed then.
 */
export async function updateCacheSettings(
  needs: CacheSettingsNeeds,
  input: CacheSettingsInput,
): Promise<CacheSettingsView> {
  const former = await storedCacheSettings(needs.storage);
  if (input.url) protectPassword(needs, input.url);
  const stored = merged(needs, former, input);
  const problem = await needs.cacheControl.apply(choiceOf(needs, stored)).catch((error: unknown) => {
    if (error instanceof PluginError) return error.message;
    throw error;
  });
  if (problem !== null)
    throw invalid(say`cache_settings_rejected: ${{ problem }} The previous settings stay in use.`);
  await storeCacheSettings(needs.storage, stored).catch(async (error: unknown) => {
    await needs.cacheControl.apply(choiceOf(needs, former));
    if (isAppError(error)) throw error;
    throw new AppError(
      'unavailable',
      say`cache_settings_not_stored: The settings could not be stored: the previous ones stay in use. Try again later.`,
      { cause: error },
    );
  });
  return viewOf(needs, stored);
}

function merged(
  needs: CacheSettingsNeeds,
  former: StoredCacheSettings,
  input: CacheSettingsInput,
): StoredCacheSettings {
  const stored: Record<string, unknown> = { ...former };
  for (const [name, field] of Object.entries(fields)) {
    const value = input[name as keyof CacheSettingsInput];
    if (value === undefined) continue;
    if (value === null) delete stored[field];
    else if (name === 'url') stored.url = value === '' ? null : sealUrl(needs, String(value));
    else stored[field] = value;
  }
  return stored;
}

function viewOf(needs: CacheSettingsNeeds, stored: StoredCacheSettings): CacheSettingsView {
  const { url, enabled, ttlSeconds, maxSizeMb, warmAfterBackup } = choiceOf(needs, stored);
  const names = Object.entries(fields).filter(([, field]) => stored[field] !== undefined);
  return {
    success: true,
    settings: {
      url: shownUrl(url),
      enabled,
      ttl_seconds: ttlSeconds,
      max_size_mb: maxSizeMb,
      warm_after_backup: warmAfterBackup,
    },
    overridden: names.map(([name]) => name as keyof CacheSettingsInput),
  };
}

/**
 * Applies settings stored by another instance within seconds, at the cost of reading one row. Settings that can't be
 * applied are logged once and skipped until they change again. Returns a function that stops this.
 */
export function followCacheSettings(
  needs: ArchivesNeeds,
  { lookEvery }: Pace['cacheSettings'] = paces.usual.cacheSettings,
): () => void {
  const { storage, log } = needs;
  let seen: string | null = null;
  const look = async () => {
    const stored = JSON.stringify(await storedCacheSettings(storage));
    if (stored === seen) return;
    seen = stored;
    await takeOver(needs);
  };
  const looking = repeat(look, {
    everyMs: lookEvery,
    later: true,
    onError: (error) => log.warn('the stored cache settings could not be applied', { error }),
  });
  return () => void looking.stop();
}

/** Does nothing when this instance stored the settings. */
async function takeOver(needs: ArchivesNeeds): Promise<void> {
  const choice = await currentCacheChoice(needs);
  if (isSame(choice, needs.cacheControl.choice)) return;
  await needs.cacheControl.begin(choice);
  needs.log.info('the stored cache settings were applied');
}

const isSame = (a: CacheChoice, b: CacheChoice): boolean =>
  (Object.keys(a) as (keyof CacheChoice)[]).every((key) => a[key] === b[key]);
