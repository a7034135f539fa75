import type { Entity, SchemaVersion } from '@holdfast/plugin-api';
import { allEntities } from '../tables.js';
import { version2 } from './version-2.js';

const later: readonly SchemaVersion[] = [version2];

const created = new Set<string>();
const added = new Map<string, Set<string>>();
for (const change of later.flatMap(({ changes }) => changes)) {
  if (change.kind === 'create-entity') created.add(change.entity.name);
  if (change.kind !== 'add-column') continue;
  added.set(change.entity, (added.get(change.entity) ?? new Set()).add(change.column));
}

/** The entity as in version 1: without the columns that later versions add. */
function asFirst(entity: Entity): Entity {
  const without = added.get(entity.name);
  if (!without) return entity;
  const lacks = (columns: readonly string[]) => !columns.some((column) => without.has(column));
  return {
    name: entity.name,
    columns: Object.fromEntries(Object.entries(entity.columns).filter(([name]) => !without.has(name))),
    unique: entity.unique.filter(lacks),
    indexes: entity.indexes.filter(lacks),
  };
}

const first = allEntities.filter(({ name }) => !created.has(name)).map(asFirst);

export const schemaVersions: readonly SchemaVersion[] = [
  { version: 1, name: 'initial', changes: first.map((entity) => ({ kind: 'create-entity', entity })) },
  ...later,
];

export const newestSchema = Math.max(...schemaVersions.map(({ version }) => version));
