import { z } from 'zod';
import { id, nameText, timestamp } from '../common.js';
import { grants } from './grant.js';

/** An API token for a script or another program. The token itself is returned only when it is created. */
export const apiTokenView = z.object({
  id,
  name: z.string().openapi({ example: 'Dashboard' }),
  read_only: z.boolean(),
  summary_only: z.boolean(),
  grants: grants.nullable().openapi({ description: 'Null: all that its user may do.' }),
  created_at: timestamp,
  expires_at: timestamp.nullable().openapi({ description: 'Null: valid until it is deleted.' }),
  last_used_at: timestamp.nullable().openapi({ description: 'Accurate to one minute.' }),
});
export type ApiTokenView = z.infer<typeof apiTokenView>;

export const newApiToken = z
  .object({
    name: nameText,
    read_only: z.boolean().default(false),
    summary_only: z.boolean().default(false).openapi({
      description: 'It opens only GET /api/status/summary: for widgets that others can see.',
    }),
    grants: grants.optional().openapi({
      description: 'Narrows the token to these repositories and rights. It never has more than its user.',
    }),
    expires_at: z
      .string()
      .datetime({
        offset: true,
        message: 'must be an ISO 8601 time with a time zone, for example 2030-01-31T00:00:00Z',
      })
      .nullable()
      .optional(),
  })
  .openapi({ example: { name: 'Dashboard', read_only: true, expires_at: '2027-01-31T00:00:00Z' } });
export type NewApiToken = z.infer<typeof newApiToken>;
