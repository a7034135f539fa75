/** Everything that a start page shows, in one response. */

export { getFigures } from './figures.js';
export { getOverview } from './overview.js';
