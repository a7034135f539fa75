import type { LedgerEntry, LedgerPlan, LedgerSeries, WorkLedger } from '@holdfast/plugin-api';

const planKinds: readonly string[] = ['schedule', 'check schedule', 'drill schedule'];
const seriesOf = ({ kind }: LedgerEntry) => (planKinds.includes(kind) ? (kind as LedgerPlan['kind']) : 'job');

export interface MemoryLedger extends WorkLedger {
  entries: Map<string, LedgerEntry>;
  /** Keys such as `job 7`, in the order in which they were written. */
  writes: string[];
  reads: number;
  isDown: boolean;
  of(series: LedgerSeries): LedgerEntry[];
}

export function memoryLedger(): MemoryLedger {
  const entries = new Map<string, LedgerEntry>();
  const answer = () => {
    if (ledger.isDown) throw new Error('down');
  };
  const ledger: MemoryLedger = {
    entries,
    writes: [],
    reads: 0,
    isDown: false,
    of: (series) =>
      [...entries.values()].filter((entry) => seriesOf(entry) === series).sort((a, b) => b.id - a.id),
    async write(given) {
      answer();
      for (const entry of given) {
        ledger.writes.push(`${seriesOf(entry)} ${entry.id}`);
        entries.set(`${seriesOf(entry)} ${entry.id}`, entry);
      }
    },
    async read(series, { below, limit }) {
      answer();
      ledger.reads += 1;
      return ledger
        .of(series)
        .filter(({ id }) => id < below)
        .slice(0, limit);
    },
    async remove(series, ids) {
      answer();
      for (const id of ids) entries.delete(`${series} ${id}`);
    },
  };
  return ledger;
}
