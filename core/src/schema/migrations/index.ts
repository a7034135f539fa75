import { allEntities } from '../tables.js';
import type { SchemaVersion } from '../versions.js';

export const schemaVersions: readonly SchemaVersion[] = [
  { version: 1, name: 'initial', changes: allEntities.map((entity) => ({ kind: 'create-entity', entity })) },
];
