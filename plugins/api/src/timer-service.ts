/**
 * Fires when a key is due: at least once for each `set`, on one instance. A timer carries only its key. The row that
 * the key names is authoritative, so a lost or duplicate timer is harmless.
 */
export interface TimerService {
  /**
   * Sets the timer of a key to a time in milliseconds since the epoch; a past time means now. A key has one timer:
   * setting it again moves it. Resolves when the timer is set; rejects if its store is unreachable.
   */
  set(key: string, at: number): Promise<void>;
  /** Removes the timer of a key, if there is one. */
  clear(key: string): Promise<void>;
  /** Sets the single handler. It must return soon. The service logs what it throws and does not retry. */
  onDue(handler: (key: string) => void | Promise<void>): void;
  /** Stops firing and waits up to `ms` for running handlers. Afterwards `set` rejects. May be called twice. */
  drain(ms: number): Promise<void>;
  /** Of a service whose store people look into. */
  readonly ledger?: WorkLedger | undefined;
}

/** A plan as people see it in the store. It is the timer of its key, and stays when it fired. */
export interface LedgerPlan {
  kind: 'schedule' | 'check schedule' | 'drill schedule';
  /** Of its row. */
  id: number;
  key: string;
  name: string;
  cron: string;
  /** IANA name of the time zone. */
  zone: string;
  /** When it is due, and when it last ran, in milliseconds since the epoch. */
  at: number;
  lastRun: number | null;
}

/** A job as people see it in the store; it never fires. Times are milliseconds since the epoch. */
export interface LedgerJob {
  /** `backup`, `check`, … */
  kind: string;
  id: number;
  repository: string;
  status: string;
  queuedAt: number;
  startedAt: number | null;
  endedAt: number | null;
  /** Percent, or null when it does not run. */
  progress: number | null;
  /** Why it failed. */
  problem: string | null;
}

export type LedgerEntry = LedgerPlan | LedgerJob;
/** Which entries: ids are unique within each. */
export type LedgerSeries = LedgerPlan['kind'] | 'job';

/**
 * Plans and jobs in the store of a timer service. They follow the rows of the database, which alone decide what runs.
 * Every method rejects if the store is unreachable.
 */
export interface WorkLedger {
  /** Writes entries, each in the place of an earlier one. A plan fires at its time; later again if nobody writes it. */
  write(entries: readonly LedgerEntry[]): Promise<void>;
  /** The entries with ids below `below`, the highest first, at most `limit`. Other releases may have written them. */
  read(series: LedgerSeries, page: { below: number; limit: number }): Promise<LedgerEntry[]>;
  remove(series: LedgerSeries, ids: readonly number[]): Promise<void>;
}
