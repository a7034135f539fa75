import { checkScheduleChanges, drillScheduleChanges } from '@holdfast/contracts';
import { z } from 'zod';
import { drillsUseCases, drillSchedules as drillTable } from '../../../../backup/drills/index.js';
import { checkSchedules as checkTable, maintenanceUseCases } from '../../../../backup/maintenance/index.js';
import type { RepositoryPlanTable } from '../../../../backup/schedules/index.js';
import type { SettingsNeeds } from '../../needs.js';
import { namesIn, repositoryOf } from '../references.js';
import { only, type Section, section, type Value, type Writing } from '../section.js';
import { asStored } from './schedules.js';

interface Plans {
  name: string;
  table: RepositoryPlanTable;
  /** The fields that may be set. */
  changes: z.AnyZodObject;
  put(needs: SettingsNeeds, repositoryId: number, changes: Value): Promise<unknown>;
}

type Plan = Value & { repository_id: string; cron_expression?: string | null };

/** Work that is planned for repositories, of which each has one plan. */
function plans({ name, table, changes, put }: Plans): Section {
  const shape = changes
    .extend({
      repository_id: z.string(),
      cron_expression: z.string().max(200).nullable().optional().transform(asStored),
    })
    .strict() as unknown as Section<Plan>['shape'];
  const fields = Object.keys(changes.shape);
  const write = async ({ needs }: Writing, { repository_id, ...rest }: Plan) => {
    const { id } = await repositoryOf(needs.storage, repository_id);
    await put(needs, id, rest);
  };
  return section<Plan>({
    name,
    shape,
    secrets: [],
    fixed: ['repository_id'],
    key: ({ repository_id }) => repository_id,
    title: ({ cron_expression }) => cron_expression || '–',
    read: async ({ storage }) => {
      const names = await namesIn(storage);
      return (await storage.find(table)).flatMap((row) => {
        const repository_id = names.repositories.get(row.repository_id);
        if (repository_id === undefined) return [];
        return [{ id: row.id, value: { repository_id, ...only(row as Value, fields) } }];
      });
    },
    create: write,
    change: (at, _existing, value, changed) =>
      write(at, { ...only(value, changed), repository_id: value.repository_id }),
  });
}

export const checkSchedules = plans({
  name: 'check_schedules',
  table: checkTable,
  changes: checkScheduleChanges,
  put: (needs, id, changes) => maintenanceUseCases(needs).putCheckSchedule(id, changes),
});

export const drillSchedules = plans({
  name: 'drill_schedules',
  table: drillTable,
  changes: drillScheduleChanges,
  put: (needs, id, changes) => drillsUseCases(needs).putDrillSchedule(id, changes),
});
