import { z } from 'zod';
import { lineOf } from './text-line.js';

export const sourceKind = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,49}$/, 'must be the id of a kind of source')
  .openapi({ description: 'See `GET /api/sources/kinds`.', example: 'postgresql' });
/** Unique among the sources of its kind. */
export const sourceName = lineOf(100, { mayBeEmpty: false }).openapi({ example: 'shop' });
const fieldName = z.string().regex(/^[a-z][a-z0-9_]{0,49}$/, 'must be the name of a field');

/** A database, a container or a snapshot that is made safe to back up. */
export const source = z.object({
  kind: sourceKind,
  name: sourceName.openapi({
    description:
      'Unique among the sources of its kind. Part of the paths in archives: a new name means new paths.',
    example: 'shop',
  }),
  container: z
    .string()
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$/, 'must be the name of a container')
    .nullable()
    .default(null)
    .openapi({
      description: 'The container where its programs run. `null`: the host.',
      example: 'shop-db-1',
    }),
  settings: z.record(fieldName, z.string().max(10_000, 'must have at most 10000 characters')).openapi({
    description:
      'Values of the fields of its kind. Secrets are returned as `***`; sent back like this, they stay.',
    example: { host: '127.0.0.1', user: 'backup', password: '***', databases: 'shop' },
  }),
});
export const sources = z.array(source).max(100, 'must have at most 100 entries').openapi({
  description: 'Databases, containers and snapshots that each backup prepares, and releases afterwards.',
});

export type GivenSource = z.infer<typeof source>;
