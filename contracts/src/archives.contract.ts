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
  archiveDays,
  archiveInfo,
  archiveList,
  archiveSearch,
  contentItem,
  deleteJobView,
  folderGrowth,
  indexState,
  listingState,
  lostAnswer,
  pathHistory,
  pinAnswer,
  pinInput,
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

const ofPeriod = {
  since: field.moment.optional().openapi({
    description:
      'Only archives that started then or later. A date begins at midnight in the time zone of the service.',
  }),
  until: field.moment.optional().openapi({
    description: 'Only archives that started earlier. A date includes that day.',
  }),
};
const ofList = {
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
  ...ofPeriod,
  known_only: field.knownOnly,
};
/** Of paths, in a search of several archives. */
const wanted = {
  type: contentItem.shape.type.optional().openapi({ description: 'Only paths that were of this type.' }),
  min_size: integerText({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }).openapi({
    description: 'Only paths with a version of this size or larger, in bytes.',
  }),
  max_size: integerText({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: Number.MAX_SAFE_INTEGER }).openapi({
    description: 'Only paths with a version of this size or smaller, in bytes.',
  }),
  modified_since: field.moment.optional().openapi({
    description: 'Only paths with a version modified then or later.',
  }),
  modified_until: field.moment.optional().openapi({
    description: 'Only paths with a version modified earlier. A date includes that day.',
  }),
  deleted: booleanText.openapi({
    description:
      'Only paths that the newest archives no longer have. Only archives that are indexed are searched.',
  }),
};
const ofNames = {
  limit: page.limit,
  cursor: integerText({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }).openapi({
    description: 'The `next` of a page. Only archives that are indexed are then searched.',
  }),
  ...wanted,
  cached_only: booleanText.openapi({ description: 'Searches only archives that are indexed or cached.' }),
  known_only: field.knownOnly,
};
const ofInfo = {
  include_files: booleanText.openapi({ description: 'Also lists the first files.' }),
  file_limit: field.limitText({ max: 100_000, fallback: 1000 }).openapi({
    description: 'Maximum number of files.',
  }),
};
const inRepository = field.ofRepository.merge(ofArchive);
const { query: q, ...spelling } = byName;
const listed = { 200: archiveList, ...failures };
const searched = { 200: repositorySearch, ...failures };
const shown = { 200: z.object({ success: z.literal(true), info: archiveInfo }), ...failures };

export const archivesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/archives/list',
    summary: 'List the archives of a repository, newest last',
    description:
      'The list is read from the repository if it may have changed, unless `known_only` is true; `as_of` is the time of that read. If the ' +
      'repository cannot be read, the last known list is returned. With `limit`, `before`, `since`, `until`, ' +
      '`schedule_id` or `query` one page of the newest is returned. A page may be shorter than `limit`, or empty, before the end.',
    query: ofRepository.extend(ofList),
    responses: listed,
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
      'Answers from the index. Builds listings of archives that are neither indexed nor cached, unless `cached_only` is true. Reads the list of archives from the repository if it may have ' +
      'changed, unless `known_only` is true.',
    query: ofRepository.extend({ ...byName, ...ofNames }),
    responses: searched,
    metadata: metadata({ cost: 'high' }),
  },
  searchEverywhere: {
    method: 'GET',
    path: '/api/archives/search-everywhere',
    summary: 'Search the archives of all repositories by name',
    description:
      'Searches archives that are indexed or cached; Borg is not started. The backup of Holdfast itself is excluded.',
    query: z.object({
      ...byName,
      ...wanted,
      limit: page.limit.openapi({
        description: 'For each repository. For more, search the repository with `next` as `cursor`.',
      }),
    }),
    responses: { 200: searchEverywhere, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  history: {
    method: 'GET',
    path: '/api/archives/history',
    summary: 'Show when a path appeared, changed and disappeared',
    description:
      'Examines all archives, oldest first. Builds listings of archives that are neither indexed nor cached.',
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
    query: ofRepository.extend(ofInfo),
    responses: shown,
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
  pin: {
    method: 'POST',
    path: '/api/archives/:archive_id/pin',
    summary: 'Pin an archive, so that it is neither pruned nor deleted',
    description:
      'The archive is kept in addition to those that retention rules keep. The pin outlives a rename of the ' +
      'archive and the registration of the repository. Another call extends it or changes the reason; to ' +
      'shorten it, unpin the archive first. 409 while a job may be removing the archive.',
    pathParams: ofArchive,
    body: pinInput,
    responses: { 200: pinAnswer, ...failures },
    metadata: metadata({ creates: 'nothing' }),
  },
  unpin: {
    method: 'DELETE',
    path: '/api/archives/:archive_id/pin',
    summary: 'Unpin an archive',
    description: 'The next prune may remove it. 404 if it is not pinned.',
    pathParams: ofArchive,
    query: ofRepository,
    body: z.unknown().optional(),
    responses: { 200: pinAnswer, ...failures, ...outdated },
    metadata: metadata({ access: { who: 'admin', confirm: 'always' } }),
  },
  delete: {
    method: 'DELETE',
    path: '/api/archives/:archive_id',
    summary: 'Delete an archive',
    description: 'Queues a job. 409 if it is pinned. Compact the repository afterwards to free the space.',
    pathParams: ofArchive,
    query: ofRepository,
    body: z.unknown().optional(),
    responses: { 200: field.queued, ...failures, ...outdated },
    headers: retryable,
    metadata: metadata({ cost: 'high', access: { who: 'admin', confirm: 'always' }, creates: 'job' }),
  },
  listOf: {
    method: 'GET',
    path: '/api/repositories/:repo_id/archives',
    summary: 'List the archives of one repository, newest last',
    description: 'The same as GET /api/archives/list. 404 for an unknown schedule.',
    pathParams: field.ofRepository,
    query: z.object(ofList),
    responses: listed,
    metadata: metadata(),
  },
  /** Before the next route, whose parameter would match it. */
  heatmap: {
    method: 'GET',
    path: '/api/repositories/:repo_id/archives/heatmap',
    summary: 'Count the archives of each day',
    description:
      'Days are those of the time zone of the service; days without archives are left out. Default: the last ' +
      'year. Does not run Borg. Request an archive with this name by its id.',
    pathParams: field.ofRepository,
    query: z.object({
      year: z
        .string()
        .regex(/^[1-9]\d{3}$/, 'must be a year, for example 2026')
        .transform(Number)
        .optional()
        .openapi({ type: 'integer', description: 'Without `since` and `until`.', example: 2026 }),
      ...ofPeriod,
    }),
    responses: { 200: archiveDays, ...failures },
    metadata: metadata(),
  },
  infoOf: {
    method: 'GET',
    path: '/api/repositories/:repo_id/archives/:archive_id',
    summary: 'Show one archive of a repository, optionally with its first files',
    description: 'The same as GET /api/archives/{archive_id}/info.',
    pathParams: inRepository,
    query: z.object(ofInfo),
    responses: shown,
    metadata: metadata(),
  },
  changes: {
    method: 'GET',
    path: '/api/repositories/:repo_id/archives/:archive_id/changes',
    summary: 'Show what changed in an archive since the one before it, or since another one',
    description:
      'Compares like GET /api/archives/{archive_id}/diff, to the archive in the path. `with` in the response is ' +
      'the archive it was compared with. 404 for the oldest archive unless `with` is given.',
    pathParams: inRepository,
    query: z.object({
      with: field.archiveReference
        .optional()
        .openapi({ description: 'Name or id of the archive to compare with. Default: the one before it.' }),
      ...page,
    }),
    responses: { 200: archiveComparison, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  lost: {
    method: 'GET',
    path: '/api/archives/:archive_id/lost-files',
    summary: 'Show which files only this archive has',
    description: 'Files that would be lost with it. Answers from the index; Borg is not started.',
    pathParams: ofArchive,
    query: ofRepository,
    responses: { 200: lostAnswer, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  growth: {
    method: 'GET',
    path: '/api/repositories/:repo_id/growth-by-folder',
    summary: 'Show which folders grew',
    description:
      'Compares the newest indexed archive with the newest one of `days` days ago. 404 without an index ' +
      'or a second archive.',
    pathParams: field.ofRepository,
    query: z.object({
      days: integerText({ min: 1, max: 3650, fallback: 30 }).openapi({
        description: 'How many days back.',
        example: 30,
      }),
      path: field.insideDirectory,
    }),
    responses: { 200: folderGrowth, ...failures },
    metadata: metadata({ cost: 'high' }),
  },
  index: {
    method: 'GET',
    path: '/api/repositories/:repo_id/index',
    summary: 'Show how much of a repository is indexed',
    description: 'Each instance with its own data folder has its own index.',
    pathParams: field.ofRepository,
    responses: { 200: indexState, ...failures },
    metadata: metadata(),
  },
  searchOf: {
    method: 'GET',
    path: '/api/repositories/:repo_id/search',
    summary: 'Search all archives of one repository by name',
    description: 'The same as GET /api/archives/search, with `q` as `query`.',
    pathParams: field.ofRepository,
    query: z.object({ q, ...spelling, ...ofNames }),
    responses: searched,
    metadata: metadata({ cost: 'high' }),
  },
});
