import { ownZone } from '../i18n/format.js';
import { read } from './api.js';

/** Shared by Home, the list of repositories and the search. */
export const overviewQuery = () => read('/api/overview', { query: { timezone: ownZone } });
