import type { OpenedRepository } from '@holdfast/contracts';
import { col, entity, type RowOf } from '@holdfast/plugin-api';
import type { StoredMessage } from '../../foundation/kernel/index.js';

/** Results of a discovery, one row per repository. Removed together with the job. */
export const foundRepositories = entity(
  'found_repository',
  {
    id: col.id(),
    job_id: col.integer.required(),
    /** On the host of the discovery. */
    path: col.text().required(),
    tool_id: col.text().nullable(),
    key_inside: col.boolean.nullable(),
    modified: col.timestamp.nullable(),
    broken: col.json<StoredMessage>().nullable(),
    /** Neither broken nor opened. A separate column, because JSON columns cannot be searched. */
    is_closed: col.boolean.default(true),
    opened: col.json<OpenedRepository>().nullable(),
    open_error: col.json<StoredMessage>().nullable(),
  },
  { unique: [['job_id', 'path']], indexes: [['job_id', 'id']] },
);

export type FoundRow = RowOf<typeof foundRepositories>;
