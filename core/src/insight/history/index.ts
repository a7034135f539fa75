/** Repository growth, and the backup status of each day. */

export { type Day, type DayState, daysUntil, stripOf } from './day.rules.js';
export { makeDayStates } from './day-states.js';
export { withSamples } from './sampled-jobs.js';
export * from './tables.js';
export { thinSamples } from './thin-samples.js';
export { historyUseCases } from './use-cases.js';
