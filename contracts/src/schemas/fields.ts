/** Fields that several schemas have, with their texts and examples. */
import { z } from 'zod';
import { booleanText, id, idText, integerText, message } from '../common.js';

export const archiveName = z.string().openapi({ example: 'nas-home-2026-03-01T02:00:00' });
/** The backup tool's id. */
export const archiveId = z.string().openapi({ example: '8d5f3b0c'.repeat(8) });
export const repositoryName = z.string().openapi({ example: 'Home' });
export const repositoryPath = z.string().openapi({ example: '/backups/home' });
/** Null: the repository is not registered. */
export const repositoryId = id.nullable().openapi({ example: 1 });
export const scheduleName = z.string().openapi({ example: 'Nightly' });
export const cronExpression = z.string().openapi({ example: '0 2 * * *' });
export const zoneName = z.string().openapi({ example: 'Europe/Berlin' });
/** Inside an archive. */
export const filePath = z.string().openapi({ example: 'home/ann/letters/march.txt' });
export const hostname = z.string().openapi({ example: 'nas' });
export const accountName = z.string().openapi({ example: 'ann' });
export const requestedBy = z.string().openapi({ example: 'admin' });
export const accessToken = z.string().openapi({ example: 'hf_3Jt0c1mJvR8VbQ2s' });
export const tag = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(50, 'must have at most 50 characters')
  .refine((text) => !/[\p{Cc}\p{Surrogate},]/u.test(text), 'must not contain commas or control characters')
  .openapi({ example: 'web' });
/** Words for grouping and searching; the first spelling of each is kept. */
export const tags = z
  .array(tag)
  .max(20, 'must have at most 20 entries')
  .transform((all) => all.filter((tag, at) => all.findIndex((one) => isSame(one, tag)) === at))
  .openapi({ description: 'Tags for grouping and searching. Duplicates are ignored.', example: ['web'] });
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
export const tagsView = z.array(z.string()).openapi({ example: ['web'] });
export const enabled = z.boolean().openapi({ example: true });
export const succeeded = z.boolean().openapi({ example: true });
export const hasLogs = z.boolean().openapi({ example: true });
/** Percent, as a whole number. */
export const progress = z.number().int().min(0).max(100).openapi({ example: 100 });

/** The answer to a call that creates a job. */
export const queued = z.object({
  success: z.literal(true),
  job_id: id,
  status: z.literal('pending'),
  message,
});
/** The answer to a call that cancels a job. */
export const cancelled = z.object({ success: z.literal(true), message, process_terminated: z.boolean() });

// Of paths and queries:
export const jobPath = z.object({ job_id: idText.openapi({ description: 'Id of the job.' }) });
export const repositoryIdText = idText.openapi({ description: 'Id of the repository.' });
export const ofRepository = z.object({ repo_id: repositoryIdText });
export const limitText = (range: { min?: number; max: number; fallback: number }) =>
  integerText({ min: 1, ...range }).openapi({ description: 'Maximum number of entries.' });
export const offsetText = (max: number = Number.MAX_SAFE_INTEGER) =>
  integerText({ min: 0, max, fallback: 0 }).openapi({ description: 'Number of entries to skip.' });
export const knownOnly = booleanText.openapi({
  description: 'Responds immediately from stored data, without running Borg.',
});
export const insidePath = z.string().max(65_536);
export const insideDirectory = insidePath
  .default('')
  .openapi({ description: 'Directory inside the archive. Empty: the top level.' });
export const archiveReference = z
  .string()
  .min(1)
  .max(1024)
  .openapi({ description: 'Name or id of the archive.' });
export const archiveInPath = archiveReference.openapi({
  description: 'Name of the archive, percent-encoded, or its id of 64 hexadecimal digits.',
});

const dateTime = z.string().datetime({ offset: true }).or(z.string().date());
/** A date, or a time with a time zone. */
export const moment = z
  .string()
  .refine(
    (text) => dateTime.safeParse(text).success,
    'must be a date or an ISO 8601 time with a time zone, for example 2030-01-31T00:00:00Z',
  )
  .openapi({ example: '2026-03-01' });
