import { col, entity, type RowOf } from '@holdfast/plugin-api';
import { Message } from '../../foundation/kernel/index.js';
import type { ProtectionState } from '../monitoring/protection.rules.js';
import type { Cause, IncidentObjectKind } from './incident.rules.js';

/** One thread for each cause and object, from when it was noticed until it was over. */
export const incidents = entity(
  'incident',
  {
    id: col.id(),
    /** `<cause>:<kind of object>:<id>`. */
    thread: col.text().required(),
    /** The thread while open, otherwise null: at most one open incident per thread. */
    open_thread: col.text().nullable(),
    is_open: col.boolean.required(),
    cause: col.text<Cause>().required(),
    object_kind: col.text<IncidentObjectKind>().required(),
    object_id: col.integer.required(),
    object_name: col.text().required(),
    /** Null if the object is not a repository. */
    repository_id: col.integer.nullable(),
    opened_at: col.timestamp.required(),
    /** When it became true, as far as is known. */
    since: col.timestamp.required(),
    code: col.text().required(),
    params: col.json<Record<string, string | number | readonly string[]>>().required(),
    sentence: col.text().required(),
    /** Jobs of the object with a higher id count as attempts. */
    jobs_after: col.integer.required(),
    snoozed_until: col.timestamp.nullable(),
    snooze_reason: col.text().nullable(),
    snoozed_by: col.text().nullable(),
    recovered_at: col.timestamp.nullable(),
    recovery_code: col.text().nullable(),
    recovery_params: col.json<Record<string, string | number | readonly string[]>>().nullable(),
    recovery: col.text().nullable(),
  },
  {
    unique: [['open_thread']],
    indexes: [
      ['is_open', 'id'],
      ['is_open', 'cause', 'id'],
      ['cause', 'id'],
      ['repository_id', 'id'],
      ['thread', 'id'],
      ['recovered_at'],
    ],
  },
);

export type IncidentRow = RowOf<typeof incidents>;

export const messageOfIncident = ({ code, params, sentence }: IncidentRow) =>
  new Message(code, params, sentence);

/** The last state of each repository, so that each change is reported once. */
export const protectionStates = entity(
  'protection_state',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    state: col.text<ProtectionState>().required(),
    damaged: col.boolean.required(),
    changed_at: col.timestamp.required(),
  },
  { unique: [['repository_id']] },
);

export type ProtectionStateRow = RowOf<typeof protectionStates>;

/**
 * Work that one instance does for all: when it is due, and which instance does it. One row per kind of work.
 */
export const duties = entity(
  'duty',
  {
    id: col.id(),
    name: col.text().required(),
    due_at: col.timestamp.required(),
    /** Until then it belongs to the instance that took it. */
    held_until: col.timestamp.nullable(),
    /** Raised each time it is taken. A write only takes effect with the current number. */
    fence: col.integer.default(0),
    /** How far it got: for the evaluation, the last event that it has seen. */
    place: col.integer.default(0),
    /** The result, without secrets. */
    note: col.json<{ problem: string | null; at: number }>().nullable(),
  },
  { unique: [['name']] },
);

export type DutyRow = RowOf<typeof duties>;
