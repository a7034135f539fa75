import { checkScheduleChanges } from '@holdfast/contracts';
import { z } from 'zod';
import { maintenanceUseCases } from '../../../maintenance/index.js';
import { checkSchedules as table } from '../../../maintenance/tables.js';
import { namesIn, repositoryOf } from '../references.js';
import { only, section, type Writing } from '../section.js';
import { asStored } from './schedules.js';

const shape = checkScheduleChanges
  .extend({
    repository_id: z.string(),
    cron_expression: z.string().max(200).nullable().optional().transform(asStored),
  })
  .strict();
type CheckSchedule = z.infer<typeof shape>;

export const checkSchedules = section<CheckSchedule>({
  name: 'check_schedules',
  shape,
  key: ({ repository_id }) => repository_id,
  title: ({ cron_expression }) => cron_expression || '–',
  secrets: [],
  fixed: ['repository_id'],
  read: async ({ storage }) => {
    const names = await namesIn(storage);
    return (await storage.find(table)).flatMap(({ id, repository_id: of, ...row }) => {
      const repository_id = names.repositories.get(of);
      const { cron_expression, timezone, max_duration, verify_data } = row;
      const { notify_on_success, notify_on_failure } = row;
      const told = { notify_on_success, notify_on_failure };
      if (repository_id === undefined) return [];
      return [
        { id, value: { repository_id, cron_expression, timezone, max_duration, verify_data, ...told } },
      ];
    });
  },
  create: write,
  change: (at, _existing, value, fields) => write(at, { ...only(value, fields), ...keyOf(value) }),
});

const keyOf = ({ repository_id }: CheckSchedule) => ({ repository_id });

async function write({ needs }: Writing, { repository_id, ...changes }: CheckSchedule): Promise<void> {
  const { id } = await repositoryOf(needs.storage, repository_id);
  await maintenanceUseCases(needs).putCheckSchedule(id, changes);
}
