import { z } from 'zod';
import { id } from '../common.js';
import { tag } from './fields.js';

/** What a limited user may do on a repository; each includes the ones before it. */
export const rights = ['see', 'restore', 'operate'] as const;
export const right = z.enum(rights).openapi({
  description:
    '`see`: its state, jobs, sizes, and the names and dates of its archives, but no names of files. `restore`: also ' +
    'browse, search, compare and download. `operate`: also start and cancel backups and checks, run its schedules, ' +
    'and restore to the `restore_paths` of the user.',
});
export type Right = z.infer<typeof right>;

export const grant = z
  .object({
    repository_id: id.optional(),
    tag: tag.optional().openapi({ description: 'All repositories with this tag, also later ones.' }),
    right,
  })
  .refine(({ repository_id, tag }) => (repository_id === undefined) !== (tag === undefined), {
    message: 'must have either a repository_id or a tag',
  });
export type Grant = z.infer<typeof grant>;

export const grants = z.array(grant).max(1000, 'must have at most 1,000 items');

export const roles = ['admin', 'user', 'limited'] as const;
export const role = z.enum(roles).openapi({
  description:
    '`admin`: everything. `user`: every repository, without changing shared settings. `limited`: only what its ' +
    '`grants` allow; other repositories do not exist for it.',
});
export type Role = z.infer<typeof role>;
