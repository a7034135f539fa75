import { col, entity } from '@holdfast/plugin-api';

/** Of a storage that another one was moved into: at most one row, `slot` being 1 in each. */
export const storageMoves = entity(
  'storage_move',
  {
    id: col.id(),
    slot: col.integer.default(1),
    /** The installation that comes. */
    installation: col.text().required(),
    begun_at: col.timestamp.required(),
    /** Null while rows are missing: no service may start then. */
    completed_at: col.timestamp.nullable(),
  },
  { unique: [['slot']] },
);
