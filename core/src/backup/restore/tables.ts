import { col, entity, type RowOf } from '@holdfast/plugin-api';
import type {
  ManifestEntry,
  RestoreOrder,
  RestoreOutcome,
  RestorePhase,
  TargetStamp,
} from './restore.rules.js';

/** Plans shown to a user before a restore. `start` accepts each plan once, while it is valid. */
export const restorePlans = entity(
  'restore_plan',
  {
    id: col.id(),
    key: col.text().required(),
    /** Name of the requesting user. */
    requested_by: col.text().required(),
    order: col.json<RestoreOrder>().required(),
    /** The state of the target at that time. */
    stamps: col.json<TargetStamp[]>().required(),
    /** Why it can't start, one sentence each. */
    obstacles: col.json<string[]>().required(),
    expires_at: col.timestamp.required(),
    job_id: col.integer.nullable(),
  },
  { unique: [['key']], indexes: [['expires_at']] },
);

/** The progress of a restore job, for recovery. Changed only by compare-and-set on `phase`. */
export const restoreRuns = entity(
  'restore_run',
  {
    id: col.id(),
    job_id: col.integer.required(),
    /** Absolute path of its folder on the target's file system. */
    staging: col.text().required(),
    phase: col.text<RestorePhase>().required(),
    /** The outcome, known before the first file is moved. */
    outcome: col.json<RestoreOutcome>().nullable(),
  },
  { unique: [['job_id']] },
);

/** The result of each path of a restore, in chunks that start at `position` (0-based). */
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
