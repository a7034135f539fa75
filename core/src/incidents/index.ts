/** Notices what goes wrong and when it is over, tells it once, and reports the week. */

export { makeHeartbeatWorker } from './heartbeat-worker.js';
export { makeIncidentWorker, type WatchWorker } from './incident-worker.js';
export { joinWatches } from './join-watches.js';
export { getIncident } from './list-incidents.js';
export { incidentsUseCases } from './use-cases.js';
export { makeReportWorker } from './weekly-report.js';
