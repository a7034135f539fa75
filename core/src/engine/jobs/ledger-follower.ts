import { isDeepStrictEqual } from 'node:util';
import type { LedgerEntry, LedgerSeries, WorkLedger } from '@holdfast/plugin-api';

const limit = 500;

export interface FollowedRows {
  series: LedgerSeries;
  /** The entries of rows with ids below `below`, the highest first, at most `limit`. */
  wanted(below: number, limit: number): Promise<LedgerEntry[]>;
}

/** Brings entries of a ledger in step with rows, whatever happened to either. */
export class LedgerFollower {
  #hasAll = false;
  /** Where the older rows go on that are compared in turn. */
  #older = Number.POSITIVE_INFINITY;

  constructor(
    private readonly ledger: WorkLedger,
    private readonly rows: FollowedRows,
  ) {}

  /** Compares all rows the first time, later the newest ones and, in turn, a page of older ones; more where they differ. */
  async follow(): Promise<void> {
    const below = await this.#down(Number.POSITIVE_INFINITY, !this.#hasAll);
    this.#hasAll = true;
    const from = Math.min(this.#older, below);
    if (Number.isFinite(from)) this.#older = await this.#down(from, false);
  }

  /** Returns where the next page begins. */
  async #down(from: number, all: boolean): Promise<number> {
    for (let before = from; ; ) {
      const { below, isInStep } = await this.#page(before);
      if (below === 0) return Number.POSITIVE_INFINITY;
      if (isInStep && !all) return below;
      before = below;
    }
  }

  async #page(before: number): Promise<{ below: number; isInStep: boolean }> {
    const { ledger } = this;
    const { series, wanted } = this.rows;
    // The ledger first: what it has then and no row has afterwards, was removed.
    const stored = await ledger.read(series, { below: before, limit });
    const rows = await wanted(before, limit);
    const below = Math.max(lastOf(stored), lastOf(rows));
    const known = new Map(stored.map((entry) => [entry.id, entry]));
    const entries = rows.filter(({ id }) => id >= below);
    const changed = entries.filter((entry) => !isSame(entry, known.get(entry.id)));
    for (const { id } of entries) known.delete(id);
    const gone = [...known.keys()].filter((id) => id >= below);
    await ledger.write(changed);
    await ledger.remove(series, gone);
    return { below, isInStep: changed.length + gone.length === 0 };
  }
}

const lastOf = (page: readonly LedgerEntry[]) => (page.length < limit ? 0 : (page.at(-1)?.id ?? 0));

/** Who runs a job writes its progress. */
const isSame = (row: LedgerEntry, stored: LedgerEntry | undefined) =>
  isDeepStrictEqual({ ...row, progress: null }, { ...stored, progress: null });
