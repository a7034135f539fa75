import type { CacheUsage } from '@holdfast/plugin-api';

/** How listings are cached. */
export interface CacheChoice {
  /** Of an external store; null: none. A secret: it may hold a password. */
  url: string | null;
  /** False: the external store is not used though there is a URL. */
  enabled: boolean;
  ttlSeconds: number;
  /** 2^20 bytes, of the cache in memory. */
  maxSizeMb: number;
  /** The listing of a new archive is built after its backup, before anyone asks. */
  warmAfterBackup: boolean;
}

export interface CacheStatus {
  inUse: 'external' | 'memory';
  /** Why an external store that is wanted is not in use, without secrets. */
  problem: string | null;
  /** Entries that were read, and that were asked for and not there, since the start. */
  hits: number;
  misses: number;
  /** Of the store in use. */
  usage: CacheUsage;
}

/** What settings and statistics need of the cache. */
export interface CacheControl {
  readonly choice: CacheChoice;
  status(): Promise<CacheStatus>;
  /** Sets up what others chose. An external store that is away is used when it comes. */
  begin(choice: CacheChoice): Promise<void>;
  /** Resolves to what is wrong with the choice's store, and then nothing has changed; null when all is done. */
  apply(choice: CacheChoice): Promise<string | null>;
  /** Deletes all entries whose keys begin so; resolves to their number. */
  drop(prefix: string): Promise<number>;
}
