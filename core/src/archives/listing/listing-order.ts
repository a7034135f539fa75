import { directoryCode, type EntryRecord } from './listing-format.js';

interface Ranked {
  record: EntryRecord;
  folded: string;
}

/** Directories first, then by name without regard to case; the given array itself where it is so already. */
export function inListingOrder(records: EntryRecord[]): EntryRecord[] {
  return isOrdered(records)
    ? records
    : records
        .map(ranked)
        .sort(compare)
        .map(({ record }) => record);
}

function isOrdered(records: readonly EntryRecord[]): boolean {
  let former: Ranked | undefined;
  for (const record of records) {
    const next = ranked(record);
    if (former && compare(former, next) > 0) return false;
    former = next;
  }
  return true;
}

const ranked = (record: EntryRecord): Ranked => ({ record, folded: record[0].toLowerCase() });

function compare(a: Ranked, b: Ranked): number {
  const byType = Number(b.record[1] === directoryCode) - Number(a.record[1] === directoryCode);
  return byType || byText(a.folded, b.folded) || byText(a.record[0], b.record[0]);
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
