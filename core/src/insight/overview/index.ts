/** Everything that a start page shows, in one response. */

export { makeStateWorker } from './state-worker.js';
export { overviewUseCases } from './use-cases.js';
