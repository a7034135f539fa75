import type { CacheUsage } from '@holdfast/plugin-api';

/** How listings are cached. */
export interface CacheChoice {
  /** URL of an external store; null: none. A secret, because it may contain a password. */
  url: string | null;
  /** False: the external store is not used although there is a URL. */
  enabled: boolean;
  ttlSeconds: number;
  /** Size of the in-memory cache in MiB. */
  maxSizeMb: number;
  /** Build the listing of a new archive right after its backup. */
  warmAfterBackup: boolean;
}

export interface CacheStatus {
  inUse: 'external' | 'memory';
  /** Why the configured external store is not in use, without secrets. */
  problem: string | null;
  /** Reads that found an entry, and reads that did not, since the start. */
  hits: number;
  misses: number;
  /** Usage of the store in use. */
  usage: CacheUsage;
}

/** What settings and statistics need from the cache. */
export interface CacheControl {
  readonly choice: CacheChoice;
  status(): Promise<CacheStatus>;
  /** Applies settings without checking them. An external store that is unavailable is used once it responds. */
  begin(choice: CacheChoice): Promise<void>;
  /** Applies settings. Resolves to null, or to a problem with the store, and then nothing has changed. */
  apply(choice: CacheChoice): Promise<string | null>;
  /** Deletes all entries whose keys start with `prefix`. */
  drop(prefix: string): Promise<Dropped>;
}

export interface Dropped {
  count: number;
  /** Why the entries of the external store stay, without secrets; null when none do. */
  problem: string | null;
}
