import type { SwitchedOff } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { jobFigures } from '../../engine/jobs/index.js';
import { drillSchedules, drillStandings } from '../drills/tables.js';
import { checkSchedules, retentionPauses } from '../maintenance/tables.js';
import { type ScheduleRow, scheduleRepositories, schedules } from '../schedules/tables.js';
import { type FormerLinks, repositories } from './tables.js';

/** What the removal of a registration switches off. */
export interface RemovedLinks {
  links: FormerLinks;
  switchedOff: SwitchedOff;
}

/** Call it in the transaction that removes the registration, before its links are removed. */
export async function linksOf(session: StorageSession, id: number): Promise<RemovedLinks> {
  const where = { repository_id: id };
  const inSchedules = await schedulesWith(session, id);
  const [check] = await session.find(checkSchedules, { where, limit: 1 });
  const [drill] = await session.find(drillSchedules, { where, limit: 1 });
  const [standing] = await session.find(drillStandings, { where, limit: 1 });
  const [figures] = await session.find(jobFigures, { where, limit: 1 });
  return {
    links: {
      schedules: inSchedules.map(({ schedule, position, disabled }) => ({
        id: schedule.id,
        uid: schedule.uid,
        position,
        disabled,
      })),
      notifications: [],
      checkSchedule: check ?? null,
      drillSchedule: drill ?? null,
      drillStanding: standing ?? null,
      pauses: await session.find(retentionPauses, { where }),
      figures: figures ?? null,
    },
    switchedOff: {
      schedules: inSchedules.map(({ schedule, disabled }) => ({
        id: schedule.id,
        name: schedule.name,
        disabled,
      })),
      check_schedule: check?.enabled === true,
      drill_schedule: drill?.enabled === true,
      notifications: [],
    },
  };
}

interface Link {
  schedule: ScheduleRow;
  position: number;
  disabled: boolean;
}

async function schedulesWith(session: StorageSession, id: number): Promise<Link[]> {
  const found: Link[] = [];
  for (const { schedule_id, position } of await session.find(scheduleRepositories, {
    where: { repository_id: id },
  })) {
    const [schedule] = await session.find(schedules, { where: { id: schedule_id }, limit: 1 });
    if (!schedule) continue;
    const [other] = await session.find(scheduleRepositories, {
      where: { schedule_id, repository_id: { not: id } },
      limit: 1,
    });
    found.push({ schedule, position, disabled: schedule.enabled && !other });
  }
  return found;
}

/** The newest removed registration of the same repository, by the id that the tool gave it, or null. */
export async function findFormer(session: StorageSession, toolId: string) {
  const [row] = await session.find(repositories, {
    where: { tool_id: toolId, removed_at: { not: null } },
    order: [['removed_at', 'desc']],
    limit: 1,
  });
  return row ?? null;
}
