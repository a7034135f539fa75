/** Removes rows that are too old or too many. */

export { type HousekeepingWorker, makeHousekeepingWorker } from './housekeeping-worker.js';
export { type TableBound, tableBounds } from './rules.js';
export { defaultRetention, type Retention } from './sweep.js';
