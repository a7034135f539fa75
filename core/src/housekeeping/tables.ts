import { col, entity, type RowOf } from '@holdfast/plugin-api';

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
