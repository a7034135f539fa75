import type { TimerService } from '@holdfast/plugin-api';
import type { JobQueue } from '../../engine/jobs/index.js';
import type { SourcesNeeds } from '../sources/index.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface DrillsNeeds extends SourcesNeeds {
  timers: TimerService;
  jobs: JobQueue;
}
