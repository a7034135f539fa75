/** How long is kept, and how much, of what grows by itself. */
export interface Retention {
  /** Days since the end of a job. */
  jobDays: number;
  /** Ended jobs in all; the oldest go first. */
  jobs: number;
  /** Days since the end of the job of a log, and of the run of a script. */
  jobLogDays: number;
  /** Days since the planned instant of a run. */
  runDays: number;
  /** Runs in the ledger of one schedule. */
  runsOfSchedule: number;
  eventDays: number;
  /** Days since a message was delivered or given up. */
  deliveryDays: number;
  /** Logins of one user that are not over; the oldest end first. */
  sessionsOfUser: number;
}

export const defaultRetention: Retention = {
  jobDays: 365,
  jobs: 1_000_000,
  jobLogDays: 90,
  runDays: 365,
  runsOfSchedule: 10_000,
  eventDays: 30,
  deliveryDays: 30,
  sessionsOfUser: 1_000,
};
