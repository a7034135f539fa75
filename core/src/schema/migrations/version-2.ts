import type { Column, Columns, Entity, SchemaChange, SchemaVersion } from '@holdfast/plugin-api';
import { browserSessions, tokens } from '../../accounts/tables.js';
import { samples } from '../../history/tables.js';
import { jobs } from '../../jobs/tables.js';
import { archives, repositories } from '../../repositories/tables.js';
import { schedules, slots } from '../../schedules/tables.js';

/** The `columns` that this version adds to an entity, with the definitions of the entity. */
const columnsOf = <C extends Columns>(entity: Entity<C>, ...columns: (keyof C & string)[]): SchemaChange[] =>
  columns.map((column) => ({
    kind: 'add-column',
    entity: entity.name,
    column,
    definition: entity.columns[column] as Column,
  }));

const indexesOf = <C extends Columns>(
  entity: Entity<C>,
  ...indexes: (keyof C & string)[][]
): SchemaChange[] =>
  indexes.map((columns) => ({ kind: 'add-index', entity: entity.name, columns, unique: false }));

/** Unique IDs for rows. Plain row numbers are given again after the database is restored from a copy. */
export const version2: SchemaVersion = {
  version: 2,
  name: 'identities',
  changes: [
    ...columnsOf(archives, 'job_id', 'schedule_id', 'lacking', 'damaged'),
    ...columnsOf(jobs, 'uid'),
    { kind: 'add-index', entity: jobs.name, columns: ['uid'], unique: false },
    ...columnsOf(repositories, 'unfinished_archives', 'sweep_due'),
    ...columnsOf(schedules, 'uid'),
    ...columnsOf(archives, 'partial'),
    ...columnsOf(jobs, 'reported'),
    ...columnsOf(repositories, 'shrink_warning_percent'),
    ...columnsOf(repositories, 'open_error', 'open_error_kind', 'open_error_at'),
    { kind: 'create-entity', entity: browserSessions },
    ...columnsOf(tokens, 'session_id'),
    { kind: 'add-index', entity: tokens.name, columns: ['session_id'], unique: false },
    ...columnsOf(repositories, 'place_free', 'place_total', 'place_at'),
    ...indexesOf(archives, ['job_id', 'start'], ['damaged', 'start']),
    ...indexesOf(slots, ['outcome', 'planned_at'], ['count', 'planned_at']),
    { kind: 'create-entity', entity: samples },
  ],
};
