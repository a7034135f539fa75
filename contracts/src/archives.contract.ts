import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  booleanText,
  failures,
  idText,
  integerText,
  linkQuery,
  outdated,
  type RouteMetadata,
  retryable,
} from './common.js';
import {
  archiveComparison,
  archiveContents,
  archiveInfo,
  archiveList,
  archiveSearch,
  deleteJobView,
  listingState,
  pathHistory,
  repositorySearch,
  searchEverywhere,
} from './schemas/archive.js';
import * as field from './schemas/fields.js';

const c = initContract();
/** Entries of one download. */
export const mostFilePaths = 1000;
const metadata = (extra: Partial<RouteMetadata> = {}): RouteMetadata => ({
  access: { who: 'any' },
  tag: 'Archives',
  ...extra,
});

const ofRepository = z.object({
  repository: z.string().min(1).max(4096).optional().openapi({
    description: 'Path of the repository, as registered. Or give `repository_id`.',
    example: '/backups/home',
  }),
  repository_id: field.repositoryIdText.optional(),
});
const ofArchive = z.object({ archive_id: field.archiveInPath });
const filePaths = z
  .union([field.insidePath.min(1), z.array(field.insidePath.min(1)).min(1).max(mostFilePaths)])
  .openapi({
    description: 'Path inside the archive; `/` is all of it. Repeat it for several, with `format`.',
  });
const page = {
  limit: field.limitText({ max: 10_000, fallback: 1000 }),
  offset: field.offsetText(100_000_000),
};
const byName = {
  query: z.string().min(1).max(256).openapi({ description: 'Text to search for.', example: '*.pdf' }),
  mode: z.enum(['substring', 'glob']).default('substring').openapi({
    description: '`substring`: `query` is part of the name. `glob`: it is a pattern with `*` and `?`.',
  }),
  case_sensitive: booleanText.openapi({ description: 'Distinguishes uppercase and lowercase.' }),
};

export const archivesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/archives/list',
    summary: 'List the archives of a repository, newest last',
    description:
      'The list is read from the repository if it may have changed, unless `known_only` is true; `as_of` is the time of that read. If the ' +
      'repository cannot be read, the last known list is returned. With `limit`, `before`, `schedule_id` or ' +
      '`query` one page of the newest is returned. A page may be shorter than `limit`, or empty, before the end.',
    query: ofRepository.extend({
      limit: integerText({ min: 0, max: 1000, fallback: 0 }).openapi({
        description: '0: all archives, or 100 with another filter.',
      }),
      before: z
        .string()
        .regex(/^-?\d{1,16}-\d{1,16}$/, 'must be the next_before of a page')
        .optional()
        .openapi({
          description: 'The `next_before` of a page, for older archives.',
          example: '1772330400000-42',
        }),
      schedule_id: idText
        .optional()
        .openapi({ description: 'Only archives under the retention of this schedule.' }),
      query: z
        .string()
        .min(1)
        .max(256)
        .optional()
        .openapi({ description: 'Part of the name, ignoring case.', example: 'nas' }),
      known_only: field.knownOnly,
    }),
    responses: { 200: archiveList, ...failures },
    metadata: metadata(),
  },
  download: {
    method: 'GET',
    path: '/api/archives/download',
    summary: 'Download one file of an archive, or several entries in one file',
    description:
      'Streams the whole file; byte ranges are not supported. With `format`, also folders and several entries: ' +
      'repeat `file_path`, or pass a long list to POST /api/download-tickets. A token or a ticket may be passed in ' +
      'the query. 409 if data is damaged in the repository. A browser session must confirm the password first to ' +
      'download from the backup of Holdfast itself.',
    query: ofRepository.extend({
      archive: field.archiveReference,
      file_path: filePaths,
      format: z
        .enum(['tar', 'tar.gz', 'zip'])
        .optional()
        .openapi({
          description:
            'Packs the entries into one file under their full paths. tar keeps every name and link; a zip ' +
            'file lists entries that it cannot contain in `holdfast-notes.txt`.',
          example: 'tar.gz',
        }),
      ...linkQuery.shape,
    }),
    responses: {
      200: c.otherResponse({ contentType: 'application/octet-stream', body: z.unknown() }),
      ...failures,
    },
    metadata: metadata({
      cost: 'high',
      access: { who: 'any', tokenInQuery: true, confirm: 'sometimes' },
      download: { contentType: 'application/octet-stream' },
    }),
  },
  deleteJob: {
    method: 'GET',
    path: '/api/archives/delete-jobs/:job_id',
    summary: 'Show one archive deletion',
    description: 'Poll until `status` is `completed`, `failed` or `cancelled`.',
    pathParams: field.jobPath,
    responses: { 200: deleteJobView.extend({ success: z.literal(true) }), ...failures },
    metadata: metadata(),
  },
  cancelDeleteJob: {
    method: 'POST',
    path: '/api/archives/delete-jobs/:job_id/cancel',
    summary: 'Cancel a pending or running archive deletion',
    description: 'If Borg has already started to delete the archive, it may still be deleted.',
    pathParams: field.jobPath,
    body: z.unknown().optional(),
    responses: { 200: field.cancelled, ...failures },
    metadata: metadata({ access: { who: 'admin' }, creates: 'nothing' }),
  },
  searchAll: {
    method: 'GET',
    path: '/api/archives/search',
    summary: 'Search all archives of a repository by name',
    description:
      'Builds listings that are not cached, unless `cached_only` is true. Reads the list of archives from the repository if it may have ' +
      'changed, unless `known_only` is true.',
    query: ofRepository.extend({
      ...byName,
      limit: page.limit,
      cached_only: booleanText.openapi({ description: 'Searches only listings that are cached.' }),
      known_only: field.knownOnly,
    }),
    responses: { 200: repositorySearch, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  searchEverywhere: {
    method: 'GET',
    path: '/api/archives/search-everywhere',
    summary: 'Search the archives of all repositories by name',
    description:
      'Searches only cached listings; Borg is not started. The backup of Holdfast itself is excluded.',
    query: z.object({ ...byName, limit: page.limit.openapi({ description: 'For each repository.' }) }),
    responses: { 200: searchEverywhere, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  history: {
    method: 'GET',
    path: '/api/archives/history',
    summary: 'Show when a path appeared, changed and disappeared',
    description: 'Examines all archives, oldest first. Builds listings that are not cached.',
    query: ofRepository.extend({
      path: field.insidePath.min(1).openapi({ description: 'Path inside the archives.' }),
    }),
    responses: { 200: pathHistory, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  listing: {
    method: 'GET',
    path: '/api/archives/:archive_id/listing',
    summary: 'Show the progress of building the listing of an archive',
    description:
      'The first browse of an archive builds its listing and responds when it is complete. While you wait, poll ' +
      'this about once a second. It starts nothing and works while the repository is busy.',
    pathParams: ofArchive,
    query: ofRepository,
    responses: { 200: listingState, ...failures },
    metadata: metadata(),
  },
  search: {
    method: 'GET',
    path: '/api/archives/:archive_id/search',
    summary: 'Search one archive by name',
    description: 'Builds the listing if it is not cached.',
    pathParams: ofArchive,
    query: ofRepository.extend({ ...byName, ...page }),
    responses: { 200: archiveSearch, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  diff: {
    method: 'GET',
    path: '/api/archives/:archive_id/diff',
    summary: 'Show what changed between this archive and another one',
    description: 'Added, removed and changed paths. Builds listings that are not cached.',
    pathParams: ofArchive,
    query: ofRepository.extend({
      with: field.archiveReference.openapi({ description: 'Name or id of the archive to compare with.' }),
      ...page,
    }),
    responses: { 200: archiveComparison, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  info: {
    method: 'GET',
    path: '/api/archives/:archive_id/info',
    summary: 'Show one archive, optionally with its first files',
    description: 'Runs Borg. `include_files` also reads the beginning of the listing.',
    pathParams: ofArchive,
    query: ofRepository.extend({
      include_files: booleanText.openapi({ description: 'Also lists the first files.' }),
      file_limit: field.limitText({ max: 100_000, fallback: 1000 }).openapi({
        description: 'Maximum number of files.',
      }),
    }),
    responses: { 200: z.object({ success: z.literal(true), info: archiveInfo }), ...failures },
    metadata: metadata(),
  },
  contents: {
    method: 'GET',
    path: '/api/archives/:archive_id/contents',
    summary: 'List one directory of an archive',
    pathParams: ofArchive,
    description:
      '`limit` 0 returns all entries. Directories come first, then by name, ignoring case. The first browse of ' +
      'an archive may take seconds or minutes: `/api/archives/{archive_id}/listing` shows its progress. ' +
      'Disconnecting cancels it, unless other clients wait for it too.',
    query: ofRepository.extend({
      path: field.insideDirectory,
      limit: field.limitText({ min: 0, max: 1_000_000, fallback: 0 }),
      offset: page.offset,
    }),
    responses: { 200: archiveContents, ...failures },
    metadata: metadata(),
  },
  delete: {
    method: 'DELETE',
    path: '/api/archives/:archive_id',
    summary: 'Delete an archive',
    description: 'Queues a job. Compact the repository afterwards to free the space.',
    pathParams: ofArchive,
    query: ofRepository,
    body: z.unknown().optional(),
    responses: { 200: field.queued, ...failures, ...outdated },
    headers: retryable,
    metadata: metadata({ cost: 'high', access: { who: 'admin', confirm: 'always' }, creates: 'job' }),
  },
});
