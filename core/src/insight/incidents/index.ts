/** Notices what goes wrong and when it is over, tells it once, and reports the week. */

export { makeHeartbeatWorker } from './heartbeat-worker.js';
export { makeIncidentWorker } from './incident-worker.js';
export { getIncident } from './list-incidents.js';
export * from './tables.js';
export { incidentsUseCases } from './use-cases.js';
export { joinWatches, type WatchWorker } from './watch-worker.js';
export { makeReportWorker } from './weekly-report.js';
