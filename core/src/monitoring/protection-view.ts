import type { RepositoryProtection } from '@holdfast/contracts';
import type { Protection } from './protection.rules.js';
import type { RepositoryRow } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';

interface Facts {
  row: RepositoryRow;
  newestArchive: number | null;
  protection: Protection;
}

export const protectionView = (
  { row, newestArchive, protection }: Facts,
  now: number,
): RepositoryProtection => {
  const { state, reasons, promise, until, damaged } = protection;
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    status: state,
    reasons,
    newest_archive: isoTime(newestArchive),
    newest_archive_age_hours: newestArchive === null ? null : hours(Math.max(0, now - newestArchive)),
    freshness_hours: row.freshness_hours,
    promised_hours: promise && hours(promise.ageMs),
    promised_by: promise && (promise.schedule === null ? 'objective' : 'schedule'),
    promising_schedule: promise?.schedule ?? null,
    protected_until: isoTime(until),
    damaged,
    archives_as_of: isoTime(row.inventory_at),
  };
};

/** With two decimals. */
const hours = (ms: number): number => Math.round(ms / 36_000) / 100;
