/** The queue, lanes, leases, logs, progress and recovery of jobs. */

export { findJob } from './find-job.js';
export {
  type InstanceFacts,
  type InstanceLease,
  instanceTimes,
  livingInstances,
  makeInstanceLease,
} from './instance-lease.js';
export {
  isTerminal,
  type JobKind,
  type JobOutcome,
  type JobProgress,
  type JobStatus,
  type MaintenanceStatus,
  statusAfterCompact,
  statusAfterPrune,
  succeeded,
  terminalStatuses,
} from './job.rules.js';
export { JobAborted } from './job-aborted.js';
export type {
  AfterJob,
  EndedJob,
  JobContext,
  JobEnd,
  JobHandler,
  JobQueue,
  JobResult,
  NewJob,
  ReadingLane,
  RecordEvent,
} from './job-contract.js';
export { type JobEngine, type JobEngineParts, makeJobEngine } from './job-engine.js';
export {
  forgetScheduleInJobs,
  giveJobUids,
  noteMaintenance,
  noteOutcome,
  noteReport,
  noteSources,
} from './job-facts.js';
export { forgetInJobs, noRepository, rebuildFigures, recallInJobs } from './job-figures.js';
export { entries, type JobFigures, noFigures } from './job-figures.rules.js';
export { appendJobLog } from './job-log.js';
export { formatLogLines, plainText } from './job-log-line.js';
export {
  downloadLog,
  type JobLogPage,
  lastLines,
  readJobLog,
  readLog,
  streamJobLog,
} from './job-log-reader.js';
export { failureMessage, textOf, wasInterrupted } from './job-settlement.js';
export { errorOf, type JobKindFacts, type JobKinds, sentencesOf } from './job-view.js';
export { LedgerFollower } from './ledger-follower.js';
export { inOwnTransaction } from './own-transaction.js';
export { noteLogRemoved, removeEndedJobs, removeLog } from './remove-jobs.js';
export { roomIn } from './room.fs.js';
export * from './tables.js';
export { jobsUseCases } from './use-cases.js';
