import { col, entity, type RowOf } from '@holdfast/plugin-api';

/** Jobs that change the size of a repository. */
export type SampledKind = 'backup' | 'prune' | 'compact';

/** Measured values of a repository at the end of a backup, prune or compact. Bytes; null: not known. */
export const samples = entity(
  'repository_sample',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    at: col.timestamp.required(),
    job_id: col.integer.required(),
    kind: col.text<SampledKind>().required(),
    /** On disk, compressed and deduplicated. */
    size: col.integer.nullable(),
    /** At the location of the repository. */
    free: col.integer.nullable(),
    archive_count: col.integer.required(),
    /** Size of the archive made by the job, and the part it added to the repository. */
    original_size: col.integer.nullable(),
    added_size: col.integer.nullable(),
    /** Milliseconds that the job ran. */
    took: col.integer.required(),
  },
  { indexes: [['repository_id', 'at']] },
);

export type SampleRow = RowOf<typeof samples>;
