import { z } from 'zod';
import { id, timestamp } from '../common.js';
import * as field from './fields.js';
import { jobStatus, repositoryReference } from './job.js';
import { codedReason, errorCode, waitingCode } from './sentence.js';
import { source } from './source.js';

const text = z.string();
const count = z.number().int();

const fields = {
  repository: repositoryReference.optional(),
  repository_id: id.optional(),
  archive: text.min(1).max(1024),
  paths: z
    .array(text.max(65_536))
    .max(1000, 'must have at most 1000 paths')
    .default([])
    .openapi({
      description: 'Paths inside the archive, each including everything below it. None: the whole archive.',
      example: ['home/ann/letters'],
    }),
  destination: text.min(1).max(4096).openapi({
    description: 'Absolute folder, created if missing. "/" restores in place.',
    example: '/srv/restored',
  }),
  destination_connection_id: id.nullish().openapi({
    description: 'SSH connection to the host of the destination. None: this server.',
  }),
  strip_components: z.number().int().min(0).max(100).default(0).openapi({
    description: 'Number of leading segments to remove from each path.',
  }),
  layout: z
    .enum(['whole_path', 'selection'])
    .optional()
    .openapi({
      description:
        '`whole_path`: restores the full paths in the archive. `selection`: removes the folders above all ' +
        'chosen paths. Instead of strip_components.',
      example: 'selection',
    }),
  overwrite: z.boolean().default(false).openapi({
    description:
      'Replaces existing files, links and other non-directories. Directories are merged, never replaced.',
  }),
  skip_existing: z
    .boolean()
    .default(false)
    .openapi({ description: 'Leaves existing files alone and restores the rest.' }),
  owners: z
    .enum(['numbers', 'names'])
    .default('numbers')
    .openapi({
      description:
        '`numbers`: each file gets the numeric owner from the archive. `names`: it gets the user and group ' +
        'with the same name at the destination, if they exist. Only root can set owners.',
    }),
  accept_low_space: z.boolean().default(false).openapi({
    description: 'Starts although the files may need more space than is free: files with holes need less.',
  }),
};

type Named = { repository?: unknown; repository_id?: unknown };
const hasRepository = (body: Named) => body.repository !== undefined || body.repository_id !== undefined;
const missing = { message: 'is required: the path of a registered repository', path: ['repository'] };

const example = {
  repository: '/backups/home',
  archive: 'nas-home-2026-03-01T02:00:00',
  paths: ['home/ann/letters'],
  destination: '/srv/restored',
};

export const restoreInput = z.object(fields).refine(hasRepository, missing).openapi({ example });

export const restoreStartInput = z
  .object({
    plan_id: z.string().uuid('must be the plan_id of a restore plan').optional(),
    ...fields,
    archive: fields.archive.optional(),
    destination: fields.destination.optional(),
  })
  .superRefine((body, context) => {
    const whole = body.archive !== undefined && body.destination !== undefined;
    if (body.plan_id !== undefined && !whole) return;
    for (const field of ['archive', 'destination'] as const) {
      if (body[field] === undefined) {
        context.addIssue({ code: 'custom', message: 'is required without a plan_id', path: [field] });
      }
    }
    if (!hasRepository(body)) context.addIssue({ code: 'custom', ...missing });
  })
  .openapi({ example });

/** A dump in an archive, and the database that it becomes. */
export const restoreDumpInput = z
  .object({
    repository: fields.repository,
    repository_id: fields.repository_id,
    archive: fields.archive,
    path: text.min(1).max(65_536).openapi({
      description: 'The dump in the archive.',
      example: 'holdfast-sources/postgresql/shop/shop.dump',
    }),
    into: text
      .min(1)
      .max(1024)
      .openapi({ description: 'Name of the database; for files, a path.', example: 'shop_restored' }),
    replace: text.max(1024).optional().openapi({
      description: 'The same name again, to replace a database that exists.',
      example: 'shop_restored',
    }),
    connection_id: id.nullish().openapi({
      description: 'SSH connection to the host of the database. None: the host of the sources.',
    }),
    source: source.omit({ kind: true }).optional().openapi({
      description: 'How to reach the server. None: as the source of the repository that made the dump.',
    }),
  })
  .refine(hasRepository, missing)
  .openapi({
    example: {
      repository: '/backups/home',
      archive: 'nas-home-2026-03-01T02:00:00',
      path: 'holdfast-sources/postgresql/shop/shop.dump',
      into: 'shop_restored',
    },
  });

export type RestoreDumpInput = z.infer<typeof restoreDumpInput>;

const place = { path: field.filePath, name_escaped: z.literal(true).optional() };
const tally = <T extends z.ZodTypeAny>(example: T) =>
  z.object({ count, examples: z.array(example).openapi({ description: 'The first 20.' }) });

const destination = text.openapi({ example: '/srv/restored' });

export const restorePlanView = z.object({
  success: z.literal(true),
  plan_id: text.openapi({ example: '0b6c6c5e-7d0f-4c0b-8d5e-2b1f6a0c9d3e' }),
  expires_at: timestamp,
  can_start: z.boolean().openapi({ example: true }),
  obstacles: z
    .array(text)
    .openapi({ description: 'Problems that prevent a start; empty if there are none.', example: [] }),
  obstacle_codes: z
    .array(codedReason)
    .openapi({ description: 'The codes of `obstacles`, in the same order.', example: [] }),
  repository: field.repositoryPath,
  repository_id: id,
  archive: field.archiveName,
  archive_id: field.archiveId,
  destination,
  destination_connection_id: id.nullable(),
  destination_host: text.nullable().openapi({ description: '`user@host`; null: this server.' }),
  files: count,
  directories: count,
  links: count,
  others: count,
  bytes: count.openapi({ example: 1_706_203 }),
  free_bytes: z.number().openapi({ example: 400_000_000_000 }),
  damaged_files: count.openapi({
    description:
      'Files whose data is damaged in the repository. They are skipped; with overwrite they prevent the ' +
      'restore.',
  }),
  without_name: count.openapi({
    description: 'Entries that are skipped because strip_components would remove their whole path.',
  }),
  writes_to: text.nullable().openapi({
    description: 'The deepest folder that contains everything that is written. Null: nothing is.',
    example: '/srv/restored',
  }),
  alike_files: count.openapi({
    description: 'Existing files with the size and modification time that they have in the archive.',
  }),
  collisions: tally(z.object({ ...place, there: z.enum(['file', 'other']) })),
  blocked: tally(z.object({ ...place, reason: text.openapi({ example: 'A directory is never replaced.' }) })),
  links_leaving: tally(z.object({ ...place, target: text.openapi({ example: '/etc/hostname' }) })).openapi({
    description: 'Symlinks that point outside the destination. They are restored unchanged.',
  }),
  owners: z.object({
    can_be_set: z.boolean().openapi({ description: 'False: all files will belong to the service user.' }),
    by: z.enum(['numbers', 'names']).openapi({ description: 'As requested in `owners`.' }),
    owners: z.array(
      z.object({
        owner: field.accountName,
        count,
        ids: text.openapi({ description: 'Its numbers in the archive.', example: '1000:1000' }),
        names_there: text
          .nullable()
          .openapi({ description: 'The names of these numbers at the destination.' }),
        ids_there: text.nullable().openapi({ description: 'The numbers of these names at the destination.' }),
      }),
    ),
  }),
  not_kept: z
    .array(z.enum(['owners', 'modes', 'symlinks', 'hard_links', 'case', 'names']))
    .openapi({ description: 'Properties that the file system of the destination cannot store.' }),
  remarks: z
    .array(text)
    .openapi({ description: 'Points to know before the start; none of them prevents it.', example: [] }),
  remark_codes: z
    .array(codedReason)
    .openapi({ description: 'The codes of `remarks`, in the same order.', example: [] }),
});

export const restoreJobView = z.object({
  id,
  repository: field.repositoryPath,
  repository_id: field.repositoryId,
  repository_name: field.repositoryName,
  archive: field.archiveName,
  destination,
  destination_connection_id: id.nullable(),
  destination_host: text.nullable().openapi({ description: '`user@host`; null: this server.' }),
  paths: z.array(text).openapi({ example: ['home/ann/letters'] }),
  overwrite: z.boolean(),
  skip_existing: z.boolean(),
  strip_components: count,
  status: jobStatus,
  requested_by: field.requestedBy,
  requested_at: timestamp,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  progress: field.progress,
  progress_details: z.object({
    nfiles: count.openapi({ example: 1042 }),
    current_file: field.filePath,
    progress_percent: z.number().openapi({ example: 100 }),
    restore_speed: z.number().openapi({ example: 61.5 }),
    estimated_time_remaining: count,
  }),
  progress_message: text.nullable(),
  error_message: text.nullable(),
  ...errorCode,
  waiting_for: text.nullable(),
  ...waitingCode,
  has_logs: field.hasLogs,
  restored: count.nullable(),
  replaced: count.nullable(),
  kept: count.nullable(),
  restored_bytes: count.nullable(),
  by_type: z
    .object({ files: count, directories: count, links: count, others: count })
    .nullable()
    .openapi({
      description:
        'Counted like the plan: the selection, without the folders above it; including folders that ' +
        'existed, excluding entries that were kept or skipped. `restored` also counts the folders above.',
    }),
});

export const restoreManifestEntry = z.object({
  ...place,
  path: text.openapi({ example: 'srv/restored/letters/march.txt' }),
  type: z.enum(['file', 'directory', 'symlink', 'other']),
  result: z.enum(['restored', 'replaced', 'kept', 'merged']).openapi({
    description: '`kept`: nothing was written. `merged`: an existing directory.',
  }),
  left_out: z.literal(true).optional().openapi({
    description: 'A file that was not restored completely, or whose data is damaged in the repository.',
  }),
  size: count.openapi({ example: 1637 }),
});

export const restoreManifest = z.object({
  success: z.literal(true),
  job_id: id,
  status: jobStatus,
  entries: z.array(restoreManifestEntry),
  total: count,
  has_more: z.boolean(),
});

export type RestoreInput = z.infer<typeof restoreInput>;
export type RestoreStartInput = z.infer<typeof restoreStartInput>;
export type RestorePlanView = z.infer<typeof restorePlanView>;
export type RestoreJobView = z.infer<typeof restoreJobView>;
export type RestoreManifestEntry = z.infer<typeof restoreManifestEntry>;
export type RestoreManifest = z.infer<typeof restoreManifest>;
