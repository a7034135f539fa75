import { col, entity, type RowOf } from './entity.js';

/**
 * The processes that serve this storage. A row is true while its lease lasts; who needs the storage alone looks here.
 */
export const instances = entity(
  'instance',
  {
    id: col.id(),
    uid: col.text().required(),
    /** For people. */
    host: col.text().required(),
    pid: col.integer.required(),
    /** Of the machine and its processes, and of the process among them: tells on the same machine whether it lives. */
    place: col.text().required(),
    process_start: col.text().required(),
    version: col.text().required(),
    started_at: col.timestamp.required(),
    lease_until: col.timestamp.required(),
  },
  { unique: [['uid']] },
);

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

/** When each rule of the housekeeping is due next: who changes that has its turn. */
export const housekeeping = entity(
  'housekeeping',
  {
    id: col.id(),
    rule: col.text().required(),
    due_at: col.timestamp.required(),
    /** Up to where the last turn came, in the rule's own measure. */
    place: col.integer.nullable(),
  },
  { unique: [['rule']] },
);

export type HousekeepingRow = RowOf<typeof housekeeping>;
export type InstanceRow = RowOf<typeof instances>;
