/** All that a first page shows, in one answer. */

export { getOverview } from './overview.js';
