import type { Column, Entity } from './entity.js';

/**
 * One step of the schema's history. A storage plugin applies each version once, in order and atomically. No version
 * re-adds what it drops.
 */
export interface SchemaVersion {
  version: number;
  name: string;
  changes: readonly SchemaChange[];
}

export type SchemaChange =
  | { kind: 'create-entity'; entity: Entity }
  | { kind: 'drop-entity'; entity: string }
  | { kind: 'add-column'; entity: string; column: string; definition: Column }
  | { kind: 'drop-column'; entity: string; column: string }
  | { kind: 'add-index'; entity: string; columns: readonly string[]; unique: boolean };
