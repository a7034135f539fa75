/** Cron expressions, time zones, slots, and the engine that fires them; for all rooms of the wing. */

export {
  type CronRule,
  cronOutdated,
  cronRule,
  describeCron,
  isByHand,
  knownZone,
  nextInstants,
  parseCron,
  plannedCron,
  tidyCron,
} from './cron.rules.js';
export { findSchedule } from './find-schedule.js';
export { joinWorkers, type TimedWorker } from './join-workers.js';
export { gapOf } from './longest-gap.rules.js';
export type { NoteSchedule } from './note-schedule.js';
export { makePlanWorker, type PlanNeeds, type PlannedWork, unfinishedJob } from './plan-worker.js';
export {
  changedPlan,
  confirmPlanChange,
  findPlan,
  noPlan,
  type PlanSettings,
  planError,
  plannedAgain,
  writePlan,
} from './repository-plan.js';
export {
  copyName,
  factsOf,
  hoursOf,
  protectsLess,
  type RetentionCounts,
  type RetentionSettings,
  removesMore,
  retentionOf,
  type ScheduledBackupParameters,
  type ScheduleFacts,
  scheduleFactsOf,
} from './schedule.rules.js';
export { scheduleFailure } from './schedule-failure.js';
export { type NamedRepository, repositoriesOf, repositoryNamesOf } from './schedule-repositories.js';
export {
  type MissedSlots,
  planSlots,
  type SlotOutcome,
  type SlotPlan,
  type SlotTrigger,
  slotResult,
  summary,
} from './slot.rules.js';
export { slotTimers, timerHorizon } from './slot-timers.js';
export { makeSlotWorker, type SlotTimings } from './slot-worker.js';
export * from './tables.js';
