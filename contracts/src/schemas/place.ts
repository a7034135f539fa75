import { z } from 'zod';
import { id } from '../common.js';
import { excludePresetIds } from '../exclude-presets.js';
import { customFlags, excludePatterns, sourceDirectories } from './repository.js';
import { remoteItem } from './ssh.js';

export const folderItem = remoteItem.extend({
  readable: z
    .boolean()
    .nullable()
    .openapi({ description: 'Whether Holdfast can read it; null for symlinks and special files.' }),
  repository: z.boolean().openapi({ description: 'A folder with a Borg repository.' }),
});

export const folderView = z.object({
  success: z.literal(true),
  current_path: z.string().openapi({ example: '/backups' }),
  parent_path: z.string().nullable(),
  free_bytes: z.number().int().nullable().openapi({ description: 'Space that Holdfast can still use.' }),
  mount: z.string().nullable().openapi({ description: 'Mount point of the file system that it is on.' }),
  repository: z.boolean().openapi({ description: 'This folder is a Borg repository.' }),
  items: z.array(folderItem).openapi({ description: 'Folders first, then by name.' }),
  truncated: z.boolean().openapi({ description: 'There are more entries.' }),
});

export const diskView = z.object({
  mount: z.string().openapi({
    description: 'Shortest mount point at which a repository can be made.',
    example: '/mnt/backup',
  }),
  mounts: z.array(z.string()).openapi({
    description: 'All mount points, also read-only ones and subvolumes.',
    example: ['/mnt/backup'],
  }),
  type: z.string().openapi({ example: 'ext4' }),
  network: z.boolean().openapi({ description: 'The files are on another machine.' }),
  removable: z
    .boolean()
    .nullable()
    .openapi({ description: 'On a disk that can be taken out, such as one on USB; null if unknown.' }),
  writable: z.boolean().openapi({ description: 'Not mounted read-only for Holdfast.', example: true }),
  total_bytes: z
    .number()
    .int()
    .nullable()
    .openapi({ description: 'Null: it did not respond.', example: 2_000_000_000_000 }),
  free_bytes: z.number().int().nullable().openapi({ example: 1_200_000_000_000 }),
  devices: z.array(z.string()).openapi({
    description:
      'Physical disks that it is on, through partitions, LVM, LUKS and RAID; of ZFS the pool. Empty if unknown. Two ' +
      'file systems with a common one fail together.',
    example: ['sdb'],
  }),
});
export const diskList = z.object({ success: z.literal(true), disks: z.array(diskView) });

export const preflightInput = z.object({
  source_directories: sourceDirectories,
  source_connection_id: id
    .nullable()
    .optional()
    .openapi({ description: 'SSH connection to the host of the sources. None: this server.' }),
  exclude_patterns: excludePatterns.default([]),
  custom_flags: customFlags,
  path: z
    .string()
    .min(1)
    .max(4096)
    .nullable()
    .optional()
    .openapi({ description: 'Where the repository is or will be.', example: '/backups/home' }),
  connection_id: id
    .nullable()
    .optional()
    .openapi({ description: 'SSH connection to the host of the repository. None: this server.' }),
  remote_path: z
    .string()
    .max(4096)
    .nullable()
    .optional()
    .openapi({ description: 'Borg on that host. Default: `borg`.', example: 'borg-linux64' }),
  repository_id: id
    .nullable()
    .optional()
    .openapi({ description: 'The repository, to take its scripts and schedules into account.' }),
});

const remark = z.object({
  code: z.string().openapi({ example: 'source_missing' }),
  params: z.record(z.union([z.string(), z.number(), z.array(z.string())])),
  text: z.string().openapi({ example: 'These sources do not exist: /mnt/photos. Correct or mount them.' }),
});

export const preflightResult = z.object({
  success: z.literal(true),
  complete: z.boolean().openapi({
    description: 'False: time ran out, or not everything could be checked. The figures are then not exact.',
    example: true,
  }),
  files: z.number().int().nullable().openapi({
    description: 'Null: the host of the sources cannot count them.',
  }),
  bytes: z.number().int().nullable().openapi({ example: 1_706_203 }),
  symlinks: z
    .number()
    .int()
    .nullable()
    .openapi({ description: 'Only the links are backed up, not their targets.' }),
  unreadable: z.object({
    count: z.number().int(),
    paths: z.array(z.string()).openapi({ description: 'The first 20.', example: ['/home/ann/private.txt'] }),
  }),
  missing: z
    .array(z.string())
    .openapi({ description: 'Sources that do not exist.', example: ['/mnt/photos'] }),
  symlink_sources: z.array(z.string()).openapi({
    description: 'Sources that are symlinks: only the link is backed up.',
    example: ['/srv/data'],
  }),
  unchecked_patterns: z.array(z.string()).openapi({
    description: 'Exclude patterns that were not applied here. A backup applies them.',
    example: ['re:\\.tmp$'],
  }),
  free_bytes: z.number().int().nullable().openapi({ description: 'Free at `path`; null if unknown.' }),
  same_disk: z
    .array(z.string())
    .nullable()
    .openapi({
      description: 'Sources on the file system of `path`; null if this cannot be known.',
      example: ['/home'],
    }),
  tool: z.string().nullable().openapi({
    description:
      'Version of Borg on the host of the repository; null if it was not found or did not respond.',
    example: 'borg 1.2.4',
  }),
  presets: z
    .array(
      z.object({
        id: z.enum(excludePresetIds),
        patterns: z.array(z.string()).openapi({ example: ['*/.cache'] }),
        files: z.number().int(),
        bytes: z.number().int().openapi({ example: 3_100_000_000 }),
      }),
    )
    .openapi({
      description:
        'Exclude patterns to consider, the one that saves most first: what the sources contain of each, so far. Add its ' +
        'patterns to `exclude_patterns` to leave it out.',
    }),
  warnings: z.array(remark).openapi({ description: 'Points to consider before the first backup.' }),
});

export type FolderView = z.infer<typeof folderView>;
export type FolderItem = z.infer<typeof folderItem>;
export type DiskList = z.infer<typeof diskList>;
export type PreflightInput = z.infer<typeof preflightInput>;
export type PreflightResult = z.infer<typeof preflightResult>;
