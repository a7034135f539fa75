import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, id, type RouteMetadata } from './common.js';
import { sourceDirectories } from './schemas/repository.js';
import { source } from './schemas/source.js';

const c = initContract();
const admin = { access: { who: 'admin' }, tag: 'Sources' } satisfies RouteMetadata;
const connection = id.nullable().optional().openapi({
  description: 'SSH connection to the host of the data. None: this server.',
});
const field = z.object({
  name: z.string().openapi({ example: 'databases' }),
  label: z.string().openapi({ example: 'Databases' }),
  kind: z.enum(['text', 'secret', 'number', 'boolean', 'host', 'lines', 'choice']),
  choices: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  required: z.boolean(),
  help: z.string().openapi({ example: 'One name per line.' }),
  example: z.string().openapi({ example: 'shop' }),
});
const kind = z.object({
  id: z.string().openapi({ example: 'postgresql' }),
  title: z.string().openapi({ example: 'PostgreSQL' }),
  fields: z.array(field),
  finds: z.boolean().openapi({ description: 'It can look for data on a host.' }),
  restores: z.boolean().openapi({ description: 'It can restore its dumps.' }),
  proves: z.boolean().openapi({ description: 'Restore drills try its dumps.' }),
});
const candidate = source.extend({
  detail: z.string().nullable().openapi({ description: 'A remark, such as the size.', example: '12 MB' }),
  with: z.array(source).openapi({
    description: 'What belongs to it, such as the database of an application: protect it together with it.',
    example: [],
  }),
});
const finding = z.object({
  status: z.enum(['ok', 'warning', 'failed']),
  text: z.string().openapi({ example: '2 databases with 512 MB: shop, wiki.' }),
  advice: z.string().optional(),
});

export const sourcesContract = c.router({
  kinds: {
    method: 'GET',
    path: '/api/sources/kinds',
    summary: 'List the kinds of sources',
    description: 'One for each plugin, with the fields of its settings.',
    responses: { 200: z.object({ success: z.literal(true), kinds: z.array(kind) }), ...failures },
    metadata: { access: { who: 'any' }, tag: 'Sources' } satisfies RouteMetadata,
  },
  find: {
    method: 'POST',
    path: '/api/sources/find',
    summary: 'Look for databases and containers',
    description: 'On this server or a host of an SSH connection. Changes nothing.',
    body: z.object({ connection_id: connection }).openapi({ example: { connection_id: 2 } }),
    responses: { 200: z.object({ success: z.literal(true), candidates: z.array(candidate) }), ...failures },
    metadata: { ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
  check: {
    method: 'POST',
    path: '/api/sources/check',
    summary: 'Check a source',
    description: 'Whether a backup of it would work, and how large it is. Changes nothing.',
    body: z.object({
      source,
      connection_id: connection,
      repository_id: id
        .nullable()
        .optional()
        .openapi({ description: 'Repository whose stored secrets replace a `***` in the settings.' }),
      source_directories: sourceDirectories
        .optional()
        .openapi({ description: 'Which the backup reads. Default: those of the repository.' }),
    }),
    responses: { 200: z.object({ success: z.literal(true), findings: z.array(finding) }), ...failures },
    metadata: { ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
});

export type SourceKindView = z.infer<typeof kind>;
export type SourceCandidate = z.infer<typeof candidate>;
export type SourceFinding = z.infer<typeof finding>;
