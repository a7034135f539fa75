import { z } from 'zod';
import { id, message, timestamp } from '../common.js';
import { lostFiles } from './archive.js';
import * as field from './fields.js';
import { prunedArchive } from './maintenance.js';
import { keepRules } from './retention-fields.js';
import { cron, newTimezone } from './schedule-fields.js';

const toolId = field.archiveId.openapi({ description: 'Its Borg id.' });

export const previewInput = z.object({
  cron_expression: cron.nullable().optional(),
  timezone: newTimezone,
  ...keepRules,
  repository_id: id.nullable().optional().openapi({ description: 'Without it, only the next runs.' }),
  schedule_id: id
    .nullable()
    .optional()
    .openapi({
      description:
        'Only archives that belong to this schedule; rules that are absent are those of the schedule. Without ' +
        'it: all archives of the repository, as if they all belonged to one schedule.',
    }),
  simulate: z.boolean().default(false).openapi({ description: 'Also returns `simulation`.' }),
  lost: z.boolean().default(false).openapi({ description: 'Also returns `lost`.' }),
});

const simulation = z
  .object({
    days: z
      .array(z.object({ date: z.string(), made: z.number().int(), kept: z.number().int() }))
      .openapi({ description: 'The last 400 days in the time zone, oldest first.' }),
    made: z.number().int(),
    kept: z.number().int(),
    oldest: timestamp.nullable().openapi({ description: 'The oldest archive that is kept.' }),
  })
  .openapi({
    description:
      'Archives that the rules would keep today if each scheduled run of the last 400 days had created one.',
  });

const judgedArchive = prunedArchive.extend({
  id: toolId,
  schedule_id: id.nullable().openapi({ description: 'The schedule whose retention applies to it.' }),
});

export const previewAnswer = z.object({
  success: z.literal(true),
  next_runs: z.array(timestamp).openapi({ description: 'At most five; empty without a cron expression.' }),
  description: z.string().nullable().openapi({ description: 'The cron expression in words.' }),
  archives: z.array(judgedArchive).nullable().openapi({
    description: 'Newest first, with what a prune would do now. Null without a repository.',
  }),
  kept_count: z.number().int().nullable(),
  removed_count: z.number().int().nullable(),
  as_of: timestamp.nullable().openapi({
    description: 'When the list of archives was last read from the repository.',
  }),
  simulation: simulation.nullable().optional().openapi({
    description: 'Only with `simulate`; null without a cron expression.',
  }),
  lost: lostFiles.nullable().optional().openapi({
    description:
      'Only with `lost`: files that a prune would lose now. Null without a repository or an index.',
  }),
  warnings: z.array(z.string()).optional(),
});

/** Which archives are meant. At most one of `archives` and `pattern`. */
const archiveChoice = {
  repository_id: id,
  archives: z
    .array(z.string().min(1, 'must not be empty').max(1024, 'must have at most 1024 characters'))
    .min(1, 'must not be empty')
    .max(10_000, 'must have at most 10000 entries')
    .optional()
    .openapi({ description: 'Names or Borg ids.' }),
  pattern: z
    .string()
    .min(1, 'must not be empty')
    .max(256, 'must have at most 256 characters')
    .optional()
    .openapi({ description: 'Pattern for the names: `*`, `?`, `[abc]`, `{one,other}`.', example: 'nas-*' }),
};

export const adoptInput = z.object({
  ...archiveChoice,
  dry_run: z.boolean().default(false).openapi({ description: 'Only reports what would be adopted.' }),
});

export const releaseInput = z.object(archiveChoice);

export const adoptAnswer = z.object({
  success: z.literal(true),
  message,
  dry_run: z.boolean(),
  archives: z.array(prunedArchive.extend({ id: toolId })).openapi({
    description:
      'The adopted archives, newest first, each with the rule that keeps it from then on, or `removed`: the ' +
      'next prune of the schedule removes it.',
  }),
  already_count: z.number().int().openapi({
    description: 'Number of other selected archives that already belong to the schedule.',
  }),
});

export const releaseAnswer = z.object({
  success: z.literal(true),
  message,
  archives: z.array(z.object({ id: toolId, name: field.archiveName })),
});

export const resumeInput = z.object({
  repository_id: id.nullable().optional().openapi({
    description: 'Default: all repositories of the schedule.',
  }),
});

export const resumeAnswer = z.object({
  success: z.literal(true),
  message,
  repository_ids: z.array(id).openapi({ description: 'Repositories in which pruning was paused.' }),
});

export type PreviewInput = z.infer<typeof previewInput>;
export type PreviewAnswer = z.infer<typeof previewAnswer>;
export type AdoptInput = z.infer<typeof adoptInput>;
export type AdoptAnswer = z.infer<typeof adoptAnswer>;
export type ReleaseInput = z.infer<typeof releaseInput>;
export type ReleaseAnswer = z.infer<typeof releaseAnswer>;
export type ResumeInput = z.infer<typeof resumeInput>;
export type ResumeAnswer = z.infer<typeof resumeAnswer>;
