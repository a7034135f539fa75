/** Removes rows that are too old or too many. */

export { type Housekeeper, makeHousekeeper } from './make-housekeeper.js';
export { type TableBound, tableBounds } from './rules.js';
export { defaultRetention, type Retention } from './sweep.js';
