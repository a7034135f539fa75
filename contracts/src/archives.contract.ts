import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  booleanText,
  failures,
  id,
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

const c = initContract();
/** Entries of one download. */
export const mostFilePaths = 1000;
const metadata = (extra: Partial<RouteMetadata> = {}): RouteMetadata => ({
  access: { who: 'any' },
  tag: 'Archives',
  ...extra,
});

/** The path of a registered repository, or its id. */
const ofRepository = z.object({
  repository: z.string().min(1).max(4096).optional().openapi({ example: '/backups/home' }),
  repository_id: idText.optional(),
});
const archivePath = z.object({
  /**
   * The archive's name, percent-encoded. 64 hex digits that don't match a name are taken as the tool's id.
   */
  archive_id: z.string().min(1).max(1024),
});
const jobPath = z.object({ job_id: idText });
const insidePath = z.string().max(65_536);
const filePaths = z.union([insidePath.min(1), z.array(insidePath.min(1)).min(1).max(mostFilePaths)]).openapi({
  description: 'Path inside the archive; `/` is all of it. Repeat it for several, with `format`.',
});
const page = {
  limit: integerText({ min: 1, max: 10_000, fallback: 1000 }),
  offset: integerText({ min: 0, max: 100_000_000, fallback: 0 }),
};
const byName = {
  query: z.string().min(1).max(256).openapi({ example: '*.pdf' }),
  mode: z.enum(['substring', 'glob']).default('substring'),
  case_sensitive: booleanText,
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
        description: '0: all archives, or 100 beside another filter.',
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
        .openapi({ description: 'Only archives whose retention is that of this schedule.' }),
      query: z
        .string()
        .min(1)
        .max(256)
        .optional()
        .openapi({ description: 'Part of the name, ignoring case.', example: 'nas' }),
      known_only: booleanText,
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
      archive: z.string().min(1).max(1024),
      file_path: filePaths,
      format: z
        .enum(['tar', 'tar.gz', 'zip'])
        .optional()
        .openapi({
          description:
            'Packs the entries into one file under their full paths. tar keeps every name and link; a zip file lists ' +
            'what it cannot hold in `holdfast-notes.txt`.',
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
    pathParams: jobPath,
    responses: { 200: deleteJobView.extend({ success: z.literal(true) }), ...failures },
    metadata: metadata(),
  },
  cancelDeleteJob: {
    method: 'POST',
    path: '/api/archives/delete-jobs/:job_id/cancel',
    summary: 'Cancel a pending or running archive deletion',
    description: 'If the backup tool has already begun to remove the archive, it may still be deleted.',
    pathParams: jobPath,
    body: z.unknown().optional(),
    responses: {
      200: z.object({ success: z.literal(true), message: z.string(), process_terminated: z.boolean() }),
      ...failures,
    },
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
      cached_only: booleanText,
      known_only: booleanText,
    }),
    responses: { 200: repositorySearch, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  searchEverywhere: {
    method: 'GET',
    path: '/api/archives/search-everywhere',
    summary: 'Search the archives of all repositories by name',
    description:
      'Only in listings that are cached; no tool is started. Copies of the service itself are left out.',
    query: z.object({ ...byName, limit: page.limit.openapi({ description: 'For each repository.' }) }),
    responses: { 200: searchEverywhere, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  history: {
    method: 'GET',
    path: '/api/archives/history',
    summary: 'Show when a path appeared, changed and disappeared',
    description: 'Examines all archives, oldest first. Builds listings that are not cached.',
    query: ofRepository.extend({ path: insidePath.min(1) }),
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
    pathParams: archivePath,
    query: ofRepository,
    responses: { 200: listingState, ...failures },
    metadata: metadata(),
  },
  search: {
    method: 'GET',
    path: '/api/archives/:archive_id/search',
    summary: 'Search one archive by name',
    description: 'Builds the listing if it is not cached.',
    pathParams: archivePath,
    query: ofRepository.extend({ ...byName, ...page }),
    responses: { 200: archiveSearch, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  diff: {
    method: 'GET',
    path: '/api/archives/:archive_id/diff',
    summary: 'Show what changed between this archive and another one',
    description: 'Added, removed and changed paths. Builds listings that are not cached.',
    pathParams: archivePath,
    query: ofRepository.extend({ with: z.string().min(1).max(1024), ...page }),
    responses: { 200: archiveComparison, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  info: {
    method: 'GET',
    path: '/api/archives/:archive_id/info',
    summary: 'Show one archive, optionally with its first files',
    description: 'Runs the backup tool. `include_files` also reads the beginning of the listing.',
    pathParams: archivePath,
    query: ofRepository.extend({
      include_files: booleanText,
      file_limit: integerText({ min: 1, max: 100_000, fallback: 1000 }),
    }),
    responses: { 200: z.object({ success: z.literal(true), info: archiveInfo }), ...failures },
    metadata: metadata(),
  },
  contents: {
    method: 'GET',
    path: '/api/archives/:archive_id/contents',
    summary: 'List one directory of an archive',
    pathParams: archivePath,
    description:
      '`limit` 0 returns all entries. Directories come first, then by name, ignoring case. The first browse of ' +
      'an archive may take seconds or minutes: `/api/archives/{archive_id}/listing` shows its progress. ' +
      'Disconnecting cancels it, unless other clients wait for it too.',
    query: ofRepository.extend({
      path: insidePath.default(''),
      limit: integerText({ min: 0, max: 1_000_000, fallback: 0 }),
      offset: integerText({ min: 0, max: 100_000_000, fallback: 0 }),
    }),
    responses: { 200: archiveContents, ...failures },
    metadata: metadata(),
  },
  delete: {
    method: 'DELETE',
    path: '/api/archives/:archive_id',
    summary: 'Delete an archive',
    description: 'Queues a job. Compact the repository afterwards to free the space.',
    pathParams: archivePath,
    query: ofRepository,
    body: z.unknown().optional(),
    responses: {
      200: z.object({
        success: z.literal(true),
        job_id: id,
        status: z.literal('pending'),
        message: z.string(),
      }),
      ...failures,
      ...outdated,
    },
    headers: retryable,
    metadata: metadata({ cost: 'high', access: { who: 'admin', confirm: 'always' }, creates: 'job' }),
  },
});
