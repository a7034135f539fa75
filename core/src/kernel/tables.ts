import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';

/** Facts of the installation and settings changed through the interface: one row a key. */
export const settings = entity(
  'setting',
  { id: col.id(), key: col.text().required(), value: sealed('inside', col.json<unknown>().required()) },
  { unique: [['key']] },
);

export type SettingRow = RowOf<typeof settings>;
