import { col, entity, type RowOf } from '@holdfast/plugin-api';

/** When each housekeeping rule is due next. The process that changes this takes the turn. */
export const housekeeping = entity(
  'housekeeping',
  {
    id: col.id(),
    rule: col.text().required(),
    due_at: col.timestamp.required(),
    /** How far the last turn got, in the rule's own unit. */
    place: col.integer.nullable(),
  },
  { unique: [['rule']] },
);

export type HousekeepingRow = RowOf<typeof housekeeping>;
