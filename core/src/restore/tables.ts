import { col, entity, type RowOf } from '@holdfast/plugin-api';
import type {
  ManifestEntry,
  RestoreOrder,
  RestoreOutcome,
  RestorePhase,
  TargetStamp,
} from './restore.rules.js';

/** What a person was told before a restore: `start` takes it once, while it still holds. */
export const restorePlans = entity(
  'restore_plan',
  {
    id: col.id(),
    key: col.text().required(),
    /** Name of the user who asked for it. */
    requested_by: col.text().required(),
    order: col.json<RestoreOrder>().required(),
    /** What was at the target then. */
    stamps: col.json<TargetStamp[]>().required(),
    /** Why it can't start, each a sentence. */
    obstacles: col.json<string[]>().required(),
    expires_at: col.timestamp.required(),
    job_id: col.integer.nullable(),
  },
  { unique: [['key']], indexes: [['expires_at']] },
);

/** How far the files of a restore job came: what recovery goes by. Changed by compare-and-set on `phase` only. */
export const restoreRuns = entity(
  'restore_run',
  {
    id: col.id(),
    job_id: col.integer.required(),
    /** Absolute folder of its own on the target's file system. */
    staging: col.text().required(),
    phase: col.text<RestorePhase>().required(),
    /** What comes out of it, known before the first file is moved. */
    outcome: col.json<RestoreOutcome>().nullable(),
  },
  { unique: [['job_id']] },
);

/** What happened to each path of a restore, in pieces from `position` (0-based) on. */
export const restoreManifests = entity(
  'restore_manifest',
  {
    id: col.id(),
    job_id: col.integer.required(),
    position: col.integer.required(),
    entries: col.json<ManifestEntry[]>().required(),
  },
  { unique: [['job_id', 'position']] },
);

export type RestorePlanRow = RowOf<typeof restorePlans>;
