import { type SchemaChange, type SchemaVersion, StoreError } from '@holdfast/plugin-api';
import type { Tables } from './store.js';

export const copyOf = (tables: Tables): Tables =>
  new Map([...tables].map(([name, { next, rows }]) => [name, { next, rows: new Map(rows) }]));

/** The tables as this version has them; what it was given stays as it is. */
export function migrated(tables: Tables, { changes }: SchemaVersion): Tables {
  const after = copyOf(tables);
  for (const change of changes) apply(after, change);
  return after;
}

export function refuseNewer(file: string, stored: number, schema: readonly SchemaVersion[]): void {
  const newest = Math.max(...schema.map(({ version }) => version));
  if (stored <= newest) return;
  throw new StoreError('invalid', `${file} is of schema version ${stored}; this server knows ${newest}.`);
}

function apply(tables: Tables, change: SchemaChange): void {
  if (change.kind === 'create-entity') {
    if (!tables.has(change.entity.name)) tables.set(change.entity.name, { next: 1, rows: new Map() });
    return;
  }
  const rows = tables.get(change.entity)?.rows ?? new Map<number, string>();
  if (change.kind === 'drop-entity') tables.delete(change.entity);
  else if (change.kind === 'add-index') checkKey(rows, change);
  else {
    for (const [id, text] of rows) {
      const { [change.column]: old, ...rest } = JSON.parse(text);
      const added =
        change.kind === 'add-column' ? { [change.column]: change.definition.default ?? null } : {};
      rows.set(id, JSON.stringify({ ...rest, ...added }));
    }
  }
}

/** Keys are those of the entities; what is there has to keep a new one. */
function checkKey(
  rows: Map<number, string>,
  { entity, columns, unique }: Extract<SchemaChange, { kind: 'add-index' }>,
): void {
  const keys = [...rows.values()]
    .map((text) => columns.map((name) => JSON.parse(text)[name]))
    .filter((values) => !values.includes(null))
    .map((values) => JSON.stringify(values));
  if (!unique || new Set(keys).size === keys.length) return;
  const key = columns.join(',');
  throw new StoreError('unique', `The key ${key} of ${entity} is taken twice.`, { key });
}
