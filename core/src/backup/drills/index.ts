/** Restores samples of archives into a scratch folder, compares them, and keeps the evidence. */

export { coveragePercent } from './coverage.rules.js';
export { drillHandler, drillJobFacts } from './drill-handler.js';
export { getDrillSchedule, lastProofView, plannedDrills } from './drill-schedules.js';
export { forgetInDrills, recallInDrills } from './registrations.js';
export { evidenceKeptMs, removeOldEvidence, sweepDrillScratch } from './sweep-drills.js';
export * from './tables.js';
export { drillsUseCases } from './use-cases.js';
