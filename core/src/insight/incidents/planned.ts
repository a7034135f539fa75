import type { StorageBackend } from '@holdfast/plugin-api';
import { drillSchedules } from '../../backup/drills/index.js';
import { checkSchedules } from '../../backup/maintenance/index.js';
import { gapOf, isManual, type RepositoryPlanRow } from '../../backup/schedules/index.js';
import type { AllRepositories } from '../monitoring/index.js';
import type { IncidentObject } from './incident.rules.js';

/** When something runs next. */
export interface PlanFact {
  object: IncidentObject;
  repositoryIds: number[];
  /** Shown to users. */
  name: string;
  /** The longest time between two runs in milliseconds; null for an invalid cron expression. */
  gapMs: number | null;
  next: number;
}

/** The plans of all schedules, checks and drills that are switched on. */
export async function readPlans(
  storage: Pick<StorageBackend, 'find'>,
  { repositories, schedules }: Pick<AllRepositories, 'repositories' | 'schedules'>,
  repositoriesOf: (scheduleId: number) => number[],
): Promise<PlanFact[]> {
  const names = new Map(repositories.map(({ row }) => [row.id, row.name]));
  const of = (what: string, rows: readonly RepositoryPlanRow[]) =>
    rows.flatMap(({ repository_id: id, cron_expression, next_run }) => {
      const name = names.get(id);
      if (name === undefined || next_run === null) return [];
      const object = { kind: 'repository' as const, id, name };
      const plan = { name: `${what} of ${name}`, gapMs: gapOf(cron_expression ?? ''), next: next_run };
      return [{ object, repositoryIds: [id], ...plan }];
    });
  const enabled = { where: { enabled: true } };
  return [
    ...schedules.flatMap((schedule) => {
      const { id, name, enabled, cron_expression, next_run: next } = schedule;
      if (!enabled || next === null || isManual(schedule)) return [];
      const object = { kind: 'schedule' as const, id, name };
      return [{ object, repositoryIds: repositoriesOf(id), name, gapMs: gapOf(cron_expression), next }];
    }),
    ...of('The check', await storage.find(checkSchedules, enabled)),
    ...of('The restore drill', await storage.find(drillSchedules, enabled)),
  ];
}
