import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, type RouteMetadata } from './common.js';
import * as field from './schemas/fields.js';
import { diskList, folderView, preflightInput, preflightResult } from './schemas/place.js';

const c = initContract();
const tag = 'Folders';
const admin = { access: { who: 'admin' }, tag, cost: 'high' } satisfies RouteMetadata;

export const placesContract = c.router({
  browse: {
    method: 'GET',
    path: '/api/filesystem/browse',
    summary: 'List a folder on this server',
    description:
      'With the permissions of the service user. Files are not read, except to recognise repositories.',
    query: z.object({
      path: z
        .string()
        .min(1)
        .max(16_384)
        .default('/')
        .openapi({ description: 'Absolute path, as `path` of an item.', example: '/home' }),
      limit: field.limitText({ max: 5_000, fallback: 1_000 }),
    }),
    responses: { 200: folderView, ...failures },
    metadata: admin,
  },
  disks: {
    method: 'GET',
    path: '/api/filesystem/disks',
    summary: 'List the disks and network folders of this server',
    description:
      'File systems that can keep files, at most 32, the one with the most free space first. Without those of the ' +
      'system, of containers and in memory. Each has 3 seconds to answer.',
    responses: { 200: diskList, ...failures },
    metadata: admin,
  },
  preflight: {
    method: 'POST',
    path: '/api/preflight',
    summary: 'Check sources and a location before backing up',
    description:
      'Counts the files that a backup would read, and finds those that it could not read. Takes at most 20 ' +
      'seconds; after that `complete` is false. Reads no contents and changes nothing.',
    body: preflightInput,
    responses: { 200: preflightResult, ...failures },
    metadata: { ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
});
