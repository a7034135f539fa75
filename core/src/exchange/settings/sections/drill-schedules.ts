import { drillScheduleChanges } from '@holdfast/contracts';
import { z } from 'zod';
import { drillsUseCases } from '../../../drills/index.js';
import { drillSchedules as table } from '../../../drills/tables.js';
import { namesIn, repositoryOf } from '../references.js';
import { only, section, type Writing } from '../section.js';
import { asStored } from './schedules.js';

const shape = drillScheduleChanges
  .extend({
    repository_id: z.string(),
    cron_expression: z.string().max(200).nullable().optional().transform(asStored),
  })
  .strict();
type DrillSchedule = z.infer<typeof shape>;

export const drillSchedules = section<DrillSchedule>({
  name: 'drill_schedules',
  shape,
  key: ({ repository_id }) => repository_id,
  title: ({ cron_expression }) => cron_expression || '–',
  secrets: [],
  fixed: ['repository_id'],
  read: async ({ storage }) => {
    const names = await namesIn(storage);
    return (await storage.find(table)).flatMap(({ id, repository_id: of, ...row }) => {
      const repository_id = names.repositories.get(of);
      const { cron_expression, timezone, sample_files, sample_bytes, fixed_paths } = row;
      if (repository_id === undefined) return [];
      const value = { repository_id, cron_expression, timezone, sample_files, sample_bytes, fixed_paths };
      return [{ id, value }];
    });
  },
  create: write,
  change: (at, _existing, value, fields) =>
    write(at, { ...only(value, fields), repository_id: value.repository_id }),
});

async function write({ needs }: Writing, { repository_id, ...changes }: DrillSchedule): Promise<void> {
  const { id } = await repositoryOf(needs.storage, repository_id);
  await drillsUseCases(needs).putDrillSchedule(id, changes);
}
