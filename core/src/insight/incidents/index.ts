/** Opens and closes incidents, sends one notification for each, and compiles the weekly report. */

export { makeHeartbeatWorker } from './heartbeat-worker.js';
export { makeIncidentWorker } from './incident-worker.js';
export { getIncident } from './list-incidents.js';
export * from './tables.js';
export { incidentsUseCases } from './use-cases.js';
export { joinWatches, type WatchWorker } from './watch-worker.js';
export { makeReportWorker } from './weekly-report.js';
