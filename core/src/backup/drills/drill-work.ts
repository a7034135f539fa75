import type { OperationOptions, RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { Source } from '@holdfast/plugin-api/source';
import type { JobContext } from '../../engine/jobs/index.js';
import type { DumpPlace } from '../sources/index.js';
import type { DrillParameters } from './drill.rules.js';
import type { Candidate } from './sample.rules.js';

export interface DrillWork {
  context: JobContext;
  target: RepositoryTarget;
  options: OperationOptions;
  order: DrillParameters;
}

/** A dump whose kind of source can restore it into a server of its own. */
export interface TriedDump extends Candidate {
  place: DumpPlace;
  prove: NonNullable<Source['prove']>;
}
