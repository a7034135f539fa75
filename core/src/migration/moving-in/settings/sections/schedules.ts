import { newSchedule, scheduleChanges } from '@holdfast/contracts';
import { z } from 'zod';
import { scripts } from '../../../../backup/hooks/index.js';
import { refuseLoss } from '../../../../backup/repositories/index.js';
import {
  repositoryNamesOf,
  schedulesUseCases,
  schedules as table,
  tidyCron,
} from '../../../../backup/schedules/index.js';
import { isoTime } from '../../../../foundation/kernel/index.js';
import { joinValues, splitValues } from '../parameters.js';
import { namesIn, repositoryOf, scriptOf } from '../references.js';
import { only, section, type Writing } from '../section.js';

/** Manual only is null, however it was written. */
export const asStored = (text: string | null | undefined) =>
  text === undefined ? undefined : tidyCron(text ?? '') || null;

const cron = z.string().max(200);
const texts = z.record(z.string().max(10_000));
const script = {
  script: z.string().nullable().optional(),
  values: texts.nullable().optional(),
  secrets: texts.optional(),
};
const shape = scheduleChanges
  .omit({
    repository: true,
    repository_id: true,
    repository_ids: true,
    pre_backup_script_id: true,
    post_backup_script_id: true,
    pre_backup_script_parameters: true,
    post_backup_script_parameters: true,
  })
  .required({ name: true })
  .extend({
    cron_expression: cron.nullable().optional().transform(asStored),
    repositories: z.array(z.string()).max(1000),
    pre_script: script.script,
    pre_values: script.values,
    pre_secrets: script.secrets,
    post_script: script.script,
    post_values: script.values,
    post_secrets: script.secrets,
  })
  .strict();
type Schedule = z.infer<typeof shape>;

const plainFields = Object.keys(scheduleChanges.shape).filter((field) =>
  Object.hasOwn(shape.shape, field),
) as (keyof Schedule & keyof typeof scheduleChanges.shape)[];

export const schedules = section<Schedule>({
  name: 'schedules',
  shape,
  key: ({ name }) => name,
  title: ({ name }) => name,
  secrets: ['pre_secrets', 'post_secrets'],
  fixed: ['name'],
  read: async ({ storage, secrets }) => {
    const names = await namesIn(storage);
    const library = new Map((await storage.find(scripts)).map((row) => [row.id, row]));
    const linked = await repositoryNamesOf(storage);
    return (await storage.find(table)).flatMap((row) => {
      const all = linked.get(row.id) ?? [];
      const repositories = all.flatMap(({ id }) => names.repositories.get(id) ?? []);
      if (all.length > 0 && repositories.length === 0) return [];
      const pre = library.get(row.pre_backup_script_id ?? 0);
      const post = library.get(row.post_backup_script_id ?? 0);
      const before = splitValues(secrets, pre, row.pre_backup_script_parameters);
      const after = splitValues(secrets, post, row.post_backup_script_parameters);
      const plain = Object.fromEntries(plainFields.map((field) => [field, row[field]]));
      const cron_expression = asStored(row.cron_expression);
      const value = {
        ...plain,
        name: row.name,
        cron_expression,
        pause_until: isoTime(row.pause_until),
        repositories,
        pre_script: pre?.name ?? null,
        pre_values: before.plain,
        ...(Object.keys(before.secret).length > 0 && { pre_secrets: before.secret }),
        post_script: post?.name ?? null,
        post_values: after.plain,
        ...(Object.keys(after.secret).length > 0 && { post_secrets: after.secret }),
      };
      return [{ id: row.id, value }];
    });
  },
  create: async (at, value) => {
    const cron_expression = value.cron_expression ?? null;
    const input = newSchedule.parse({ ...(await inputOf(at, value, value)), cron_expression });
    await schedulesUseCases(at.needs).createSchedule(input);
  },
  change: async (at, { id, value: before }, value, fields) => {
    const named = (ids: readonly string[]) => ids.map((toolId) => toolId.slice(0, 12));
    refuseLoss(
      { before: named(before.repositories), after: named(value.repositories), of: value.name },
      at.replaceSources,
    );
    const changes = await inputOf(at, only(value, fields), { ...before, ...value });
    await schedulesUseCases(at.needs).updateSchedule(at.caller, id, changes);
  },
});

/** `whole`: the schedule as it is to be. Scripts and their values are given together. */
async function inputOf({ needs: { storage, clock } }: Writing, changes: Partial<Schedule>, whole: Schedule) {
  const {
    repositories,
    pre_script,
    pre_values,
    pre_secrets,
    post_script,
    post_values,
    post_secrets,
    pause_until: pause,
    ...plain
  } = changes;
  // The file may be older than the end of the pause.
  const paused = pause && Date.parse(pause) > clock.now() ? pause : null;
  const ids: number[] = [];
  for (const toolId of repositories ?? []) ids.push((await repositoryOf(storage, toolId)).id);
  const about = async (given: boolean, name: string | null | undefined, values: Values) => {
    if (!given || name === undefined) return null;
    if (name === null) return { id: null, parameters: null };
    const row = await scriptOf(storage, name);
    return { id: row.id, parameters: joinValues(row, ...values) };
  };
  const isGiven = (...fields: unknown[]) => fields.some((field) => field !== undefined);
  const preGiven = isGiven(pre_script, pre_values, pre_secrets);
  const pre = await about(preGiven, whole.pre_script, [whole.pre_values, whole.pre_secrets]);
  const postGiven = isGiven(post_script, post_values, post_secrets);
  const post = await about(postGiven, whole.post_script, [whole.post_values, whole.post_secrets]);
  return {
    ...plain,
    ...(pause !== undefined && { pause_until: paused }),
    ...(repositories !== undefined && { repository_ids: ids }),
    ...(pre && { pre_backup_script_id: pre.id, pre_backup_script_parameters: pre.parameters }),
    ...(post && { post_backup_script_id: post.id, post_backup_script_parameters: post.parameters }),
  };
}

type Values = [Record<string, string> | null | undefined, Record<string, string> | undefined];
