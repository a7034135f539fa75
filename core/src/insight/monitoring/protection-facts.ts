import type { DrillStandingRow } from '../../backup/drills/index.js';
import { gapOf, isManual } from '../../backup/schedules/index.js';
import type { JobFigures } from '../../engine/jobs/index.js';
import type { JudgedRepository, JudgedSchedule } from './judged-rows.js';
import type { ProtectionFacts } from './protection.rules.js';

interface Rows {
  row: JudgedRepository;
  figures: JobFigures;
  newest: ProtectionFacts['newest'];
  uncounted: number;
  lacking: readonly string[];
  futureAt: number | null;
  /** The enabled schedules of the repository. */
  covering: readonly JudgedSchedule[];
  drills: DrillStandingRow | null;
}

export function protectionFacts({
  row,
  figures,
  newest,
  uncounted,
  lacking,
  futureAt,
  covering,
  drills,
}: Rows): ProtectionFacts {
  const { backup } = figures.last;
  const automatic = covering.filter((schedule) => !isManual(schedule));
  return {
    objective: row.freshness_hours,
    observed: row.mode === 'observe',
    createdAt: row.created_at,
    listedAt: row.inventory_at,
    newest,
    futureAt,
    unread: backup?.good?.unread ?? 0,
    // Of two archives of the same second, either may be the later one.
    uncountedAt: uncounted > 0 && uncounted >= (newest?.start ?? 0) ? uncounted : null,
    lacking,
    schedules: automatic.map(({ name, cron_expression }) => ({ name, gapMs: gapOf(cron_expression) })),
    pausedUntil:
      automatic.length > 0 && automatic.every(({ pause_until }) => pause_until !== null)
        ? Math.min(...automatic.map(({ pause_until }) => pause_until ?? 0))
        : null,
    manual: covering.filter(isManual).map(({ name }) => name),
    damage: unclearedDamage(row, figures),
    check: figures.last.check?.judged ?? null,
    failedDrill: failedDrill(drills),
    leftOut: row.left_out ?? [],
    backupFailedAt: backup && !backup.success ? backup.endedAt : null,
    archiveMade: backup?.begun != null && Math.max(newest?.start ?? 0, uncounted) >= startOf(backup.begun),
  };
}

/**
 * Damage is cleared only by a full check that passed, or that found only damaged archives, which do not count
 * anyway. A partial check may not have got that far, and a repair may have lost files.
 */
function unclearedDamage({ last_check }: JudgedRepository, { last }: JobFigures): ProtectionFacts['damage'] {
  const found = last.check?.damaged ?? null;
  return found && !found.confined && found.endedAt >= (last_check ?? 0) ? found : null;
}

/** A drill that could not be made says nothing about the archives. */
const failedDrill = (drills: DrillStandingRow | null): ProtectionFacts['failedDrill'] =>
  drills?.failed_files && drills.failed_at !== null
    ? { endedAt: drills.failed_at, jobId: drills.failed_job_id ?? 0 }
    : null;

/** Archives have times in full seconds. */
const startOf = ({ endedAt, seconds }: { endedAt: number; seconds: number }) =>
  Math.floor((endedAt - seconds * 1_000) / 1_000) * 1_000;
