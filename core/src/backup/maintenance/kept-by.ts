import type { StorageBackend } from '@holdfast/plugin-api';
import { ReadCache } from '../../foundation/kernel/index.js';
import type { ArchiveRow } from '../repositories/tables.js';
import { retentionOf } from '../schedules/calendar/index.js';
import { type ScheduleRow, schedules } from '../schedules/tables.js';
import type { MaintenanceNeeds } from './needs.js';
import { weigh } from './weigh.js';

/** The schedule whose retention an archive falls under, and the rule by which it keeps the archive. */
interface Keeping {
  scheduleId: number | null;
  keptBy: string | null;
}

/** By the tool's id. */
export type KeepingOf = (archive: ArchiveRow) => Keeping;

const freshMs = 60_000;

/**
 * How archives of one repository are kept. Weighs only the schedules that own one of `rows` and that prune: these
 * have few archives, because they prune.
 */
export const keepingOf = ({ storage, clock }: MaintenanceNeeds) => {
  const cache = new ReadCache(storage);
  return async (repositoryId: number, rows: readonly ArchiveRow[]): Promise<KeepingOf> => {
    const ids = [...new Set(rows.flatMap(({ schedule_id }) => schedule_id ?? []))];
    const owners = ids.length === 0 ? [] : await storage.find(schedules, { where: { id: { in: ids } } });
    const rules = new Map<number, ReadonlyMap<string, string>>();
    for (const schedule of owners) {
      const make = () => rulesOf(storage, { schedule, repositoryId, now: clock.now() });
      const key = `${schedule.id} ${repositoryId}`;
      rules.set(schedule.id, await cache.read(key, make, Math.floor(clock.now() / freshMs)));
    }
    return ({ schedule_id, tool_id }) => {
      const kept = rules.get(schedule_id ?? 0);
      return { scheduleId: kept ? schedule_id : null, keptBy: kept?.get(tool_id) ?? null };
    };
  };
};

async function rulesOf(
  storage: StorageBackend,
  { schedule, repositoryId, now }: { schedule: ScheduleRow; repositoryId: number; now: number },
): Promise<Map<string, string>> {
  if (!schedule.run_prune_after) return new Map();
  const whose = { repositoryId, scheduleId: schedule.id };
  const { kept } = await weigh(storage, { ...whose, rules: retentionOf(schedule), now });
  return new Map(kept.map(({ archive, reason }) => [archive.id, reason]));
}
