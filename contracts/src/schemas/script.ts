import { z } from 'zod';
import { id, message, nameText, timestamp } from '../common.js';
import * as field from './fields.js';
import { messageCode } from './sentence.js';

const wellFormed = (text: string) => !/\p{Surrogate}/u.test(text);
/** In UTF-16 code units. */
export const longestScript = 256 * 1024;
/** Longest timeout of a test run, in seconds. The request waits for the script to end. */
export const longestTest = 600;

export const runOn = z.enum(['always', 'success', 'failure', 'warning']).openapi({
  description: 'After which backups the script runs. Before a backup it always runs.',
});
export const hookType = z.enum(['pre-backup', 'post-backup']);
const category = z.enum(['custom', 'template']);
const nameExample = 'Stop the database';
const contentExample = '#!/bin/sh\ndocker stop "$CONTAINER"\n';
const name = nameText.refine(wellFormed, 'must be well-formed Unicode').openapi({ example: nameExample });
const description = z
  .string()
  .max(2000, 'must have at most 2000 characters')
  .refine(wellFormed, 'must be well-formed Unicode')
  .nullable();
const content = z
  .string()
  .max(longestScript, `must have at most ${longestScript} characters`)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .refine((text) => !text.includes('\0'), 'must not contain NUL: a script is text')
  .refine(wellFormed, 'must be well-formed Unicode')
  .openapi({ example: contentExample });
const timeout = z
  .number()
  .int()
  .min(1, 'must be from 1 to 86400 seconds')
  .max(86_400, 'must be from 1 to 86400 seconds');
const testTimeout = timeout.max(longestTest, `must be at most ${longestTest} seconds`);
const parameterName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'must consist of capital letters, digits and underscores')
  .refine((text) => !text.startsWith('BK_UI_'), 'must not begin with BK_UI_, which is reserved for Holdfast');

/** An environment variable that is passed to the script. */
export const scriptParameter = z.object({
  name: parameterName.openapi({ example: 'CONTAINER' }),
  type: z.enum(['text', 'password']),
  default: z.string().openapi({ example: 'database' }),
  description: z.string().openapi({ example: 'Name of the container.' }),
  required: z.boolean(),
});
const givenParameter = z.object({
  name: parameterName,
  type: z.enum(['text', 'password']).default('text'),
  default: z.string().max(10_000, 'must have at most 10000 characters').default(''),
  description: z.string().max(2000, 'must have at most 2000 characters').default(''),
  required: z.boolean().default(false),
});
const parameters = z
  .array(givenParameter)
  .max(100, 'must have at most 100 entries')
  .refine(
    (all) => new Set(all.map((one) => one.name)).size === all.length,
    'must not contain duplicate names',
  )
  .nullable()
  .openapi({
    description: 'Default: detected in the script, as every name between braces after a dollar sign.',
  });

/** Values by name. Passwords are shown as `***`; sending `***` back does not change them. */
export const parameterValues = z.record(z.unknown()).openapi({ example: { CONTAINER: 'database' } });

export const newScript = z.object({
  name,
  description: description.optional(),
  content,
  category: category.default('custom'),
  timeout: timeout.default(300),
  run_on: runOn.default('always'),
  parameters: parameters.optional(),
});

/** Absent fields are not changed. */
export const scriptChanges = z
  .object({
    name: name.optional(),
    description: description.optional(),
    content: content.optional(),
    timeout: timeout.optional(),
    run_on: runOn.optional(),
    parameters: parameters.optional(),
  })
  .openapi({ example: { timeout: 60, run_on: 'success' } });

export const scriptView = z.object({
  id,
  name: z.string().openapi({ example: nameExample }),
  description: z.string().nullable(),
  category,
  timeout: z.number().int().openapi({ description: 'Seconds.', example: 300 }),
  run_on: runOn,
  parameters: z.array(scriptParameter),
  usage_count: z.number().int().openapi({ description: 'How many times it is attached to a repository.' }),
  is_template: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const scriptDetails = scriptView.extend({
  content: z
    .string()
    .openapi({ description: '`***` unless the caller is an administrator.', example: contentExample }),
  repositories: z.array(
    z.object({ id, name: field.repositoryName, hook_type: hookType, enabled: field.enabled }),
  ),
  schedules: z.array(z.object({ id, name: field.scheduleName, hook_type: hookType })),
  recent_executions: z.array(
    z.object({
      id,
      repository_id: field.repositoryId,
      job_id: id.nullable(),
      hook_type: hookType,
      status: z.enum(['running', 'completed', 'failed']).openapi({ example: 'completed' }),
      started_at: timestamp,
      exit_code: z.number().int().nullable().openapi({ example: 0 }),
      execution_time: z.number().nullable().openapi({ description: 'Seconds.', example: 0.8 }),
    }),
  ),
});

export const scriptTest = z.object({
  parameter_values: parameterValues.nullable().optional(),
  timeout: testTimeout.optional(),
  repository_id: id
    .nullable()
    .optional()
    .openapi({ description: 'Sets the environment variables of this repository.' }),
});

export const adHocTest = z.object({ script: content.openapi({ example: '#!/bin/sh\necho hello\n' }) });

export const scriptResult = z.object({
  success: field.succeeded.openapi({ description: 'The script exited with code 0.' }),
  exit_code: z
    .number()
    .int()
    .openapi({ description: '-1 if the script did not start or timed out.', example: 0 }),
  stdout: z.string().openapi({ example: 'hello\n' }),
  stderr: z.string().openapi({ example: '' }),
  execution_time: z.number().openapi({ description: 'Seconds.', example: 0.8 }),
  message,
  ...messageCode,
});

const attachmentSettings = {
  execution_order: z
    .number()
    .finite()
    .min(-1_000_000, 'must be from -1000000 to 1000000')
    .max(1_000_000, 'must be from -1000000 to 1000000'),
  enabled: z.boolean(),
  custom_timeout: timeout.nullable(),
  custom_run_on: runOn.nullable(),
  continue_on_error: z
    .boolean()
    .openapi({ description: 'A failure of this script does not fail the backup: it ends with a warning.' }),
  parameter_values: parameterValues.nullable(),
};

export const newAttachment = z.object({
  script_id: id,
  hook_type: hookType,
  execution_order: attachmentSettings.execution_order.default(1),
  enabled: attachmentSettings.enabled.default(true),
  custom_timeout: attachmentSettings.custom_timeout.optional(),
  custom_run_on: attachmentSettings.custom_run_on.optional(),
  continue_on_error: attachmentSettings.continue_on_error.default(true),
  parameter_values: attachmentSettings.parameter_values.optional(),
});

/** Absent fields are not changed; `parameter_values` replaces the whole set. */
export const attachmentChanges = z
  .object(attachmentSettings)
  .partial()
  .openapi({ example: { execution_order: 2, continue_on_error: false } });

export const attachmentView = z.object({
  id,
  script_id: id,
  script_name: z.string().openapi({ example: nameExample }),
  script_description: z.string().nullable(),
  hook_type: hookType,
  execution_order: z.number(),
  enabled: field.enabled,
  custom_timeout: z.number().int().nullable(),
  custom_run_on: runOn.nullable(),
  continue_on_error: z.boolean(),
  default_timeout: z.number().int().openapi({ example: 300 }),
  default_run_on: runOn,
  parameters: z.array(scriptParameter),
  parameter_values: z.record(z.string()).nullable(),
});

export type NewScript = z.infer<typeof newScript>;
export type ScriptChanges = z.infer<typeof scriptChanges>;
export type ScriptView = z.infer<typeof scriptView>;
export type ScriptDetails = z.infer<typeof scriptDetails>;
export type ScriptTest = z.infer<typeof scriptTest>;
export type ScriptRunResult = z.infer<typeof scriptResult>;
export type NewAttachment = z.infer<typeof newAttachment>;
export type AttachmentChanges = z.infer<typeof attachmentChanges>;
export type AttachmentView = z.infer<typeof attachmentView>;
