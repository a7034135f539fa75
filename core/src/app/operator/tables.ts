import { col, entity } from '@holdfast/plugin-api';

/** A move into this storage: at most one row, because `slot` is always 1. */
export const storageMoves = entity(
  'storage_move',
  {
    id: col.id(),
    slot: col.integer.default(1),
    /** The installation that is moved in. */
    installation: col.text().required(),
    begun_at: col.timestamp.required(),
    /** Null while rows are missing; the service must not start then. */
    completed_at: col.timestamp.nullable(),
  },
  { unique: [['slot']] },
);
