import { ownZone } from '../i18n/format.js';
import { read } from './api.js';

/** What Home, the list of repositories and the search share. */
export const overviewQuery = () => read('/api/overview', { query: { timezone: ownZone } });
