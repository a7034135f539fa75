import { col, entity, sealed } from '@holdfast/plugin-api';

/** Facts about the installation and settings changed through the API: one row per key. */
export const settings = entity(
  'setting',
  { id: col.id(), key: col.text().required(), value: sealed('inside', col.json<unknown>().required()) },
  { unique: [['key']] },
);
