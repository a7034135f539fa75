/** Cron expressions, time zones, slots, and the engine that fires them; for all rooms of the wing. */

export {
  type CronRule,
  cronRule,
  describeCron,
  isManual,
  knownZone,
  nextInstants,
  parseCron,
  plannedCron,
  tidyCron,
} from './cron.rules.js';
export { findSchedule } from './find-schedule.js';
export { gapOf } from './longest-gap.rules.js';
export type { NoteSchedule } from './note-schedule.js';
export { afterPause, pauseAt, pauseEnd, pauseOfAll, shownPause, writePauseOfAll } from './pause.js';
export type { Fired, PlanKind, Refused, SlotNeeds } from './plan-kind.js';
export {
  changedPlan,
  findPlan,
  noPlan,
  type PlanSettings,
  planError,
  plannedAgain,
  putPlan,
} from './repository-plan.js';
export { repositoryPlans, unfinishedJob } from './repository-runs.js';
export { retryAt } from './retry.rules.js';
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
export {
  type NamedRepository,
  type PlacedRepository,
  repositoriesOf,
  repositoryNamesOf,
  repositoryPlacesOf,
} from './schedule-repositories.js';
export {
  isPostponement,
  type MissedSlots,
  pausedUntilText,
  type SlotOutcome,
  type SlotPlan,
  type SlotTrigger,
  slotResult,
  summary,
} from './slot.rules.js';
export { slotTimers } from './slot-timers.js';
export { makeSlotWorker, type SlotWorker } from './slot-worker.js';
export * from './tables.js';
