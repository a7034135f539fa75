/** Removes old rows, and rows above the limit of their table. */

export { type HousekeepingWorker, makeHousekeepingWorker } from './housekeeping-worker.js';
export { type TableBound, tableBounds } from './rules.js';
export { defaultRetention, type Retention } from './sweep.js';
