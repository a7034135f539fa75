/** Everything that a start page shows, in one response. */

export { getOverview } from './overview.js';
