import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { booleanText, failures, id, idText, integerText, type RouteMetadata } from './common.js';
import { archiveContents, archiveInfo, archiveList, deleteJobView } from './schemas/archive.js';

const c = initContract();
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
  /** The archive's name, percent-encoded; 64 hex digits that are no name are taken as the tool's id. */
  archive_id: z.string().min(1).max(1024),
});
const jobPath = z.object({ job_id: idText });
const insidePath = z.string().max(65_536);

export const archivesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/archives/list',
    summary: 'List the archives of a repository, newest last',
    query: ofRepository,
    responses: { 200: archiveList, ...failures },
    metadata: metadata(),
  },
  download: {
    method: 'GET',
    path: '/api/archives/download',
    summary: 'Download one file of an archive',
    description: 'Streams the file whole: byte ranges are not offered. The token may stand in the query.',
    query: ofRepository.extend({
      archive: z.string().min(1).max(1024),
      file_path: insidePath.min(1),
      token: z.string().optional(),
    }),
    responses: {
      200: c.otherResponse({ contentType: 'application/octet-stream', body: z.unknown() }),
      ...failures,
    },
    metadata: metadata({
      access: { who: 'any', tokenInQuery: true },
      download: { contentType: 'application/octet-stream' },
    }),
  },
  deleteJob: {
    method: 'GET',
    path: '/api/archives/delete-jobs/:job_id',
    summary: 'Show one archive deletion',
    pathParams: jobPath,
    responses: { 200: deleteJobView.extend({ success: z.literal(true) }), ...failures },
    metadata: metadata(),
  },
  cancelDeleteJob: {
    method: 'POST',
    path: '/api/archives/delete-jobs/:job_id/cancel',
    summary: 'Cancel a pending or running archive deletion',
    pathParams: jobPath,
    body: z.unknown().optional(),
    responses: {
      200: z.object({ success: z.literal(true), message: z.string(), process_terminated: z.boolean() }),
      ...failures,
    },
    metadata: metadata({ access: { who: 'admin' } }),
  },
  info: {
    method: 'GET',
    path: '/api/archives/:archive_id/info',
    summary: 'Show one archive, with its first files when asked',
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
    query: ofRepository.extend({ path: insidePath.default('') }),
    responses: { 200: archiveContents, ...failures },
    metadata: metadata(),
  },
  delete: {
    method: 'DELETE',
    path: '/api/archives/:archive_id',
    summary: 'Delete an archive, as a job',
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
    },
    metadata: metadata({ access: { who: 'admin' } }),
  },
});
