import { defaultRetention, type Retention } from '@holdfast/core/server';
import { z } from 'zod';
import { type AppLimits, type ConnectionLimits, defaultLimits } from './http/limits.js';
import { isNetwork, listOf, wholeNumber } from './variable-forms.js';

const days = (fallback: number) => wholeNumber(1, 36_500, fallback);
const seconds = (fallback: number) => wholeNumber(1, 86_400, fallback);
const many = (fallback: number) => wholeNumber(1, 1_000_000_000, fallback);

const proxies =
  'must be the number of proxies in front of Holdfast, or a comma-separated list of their addresses or ' +
  'networks';

/** The configurable limits. See `docs/admin/configuration.md`. */
export const limitVariables = {
  HEADERS_TIMEOUT_SECONDS: seconds(defaultLimits.headersSeconds),
  REQUEST_TIMEOUT_SECONDS: seconds(defaultLimits.requestSeconds),
  KEEP_ALIVE_TIMEOUT_SECONDS: seconds(defaultLimits.keepAliveSeconds),
  MAX_CONNECTIONS: wholeNumber(10, 1_000_000, defaultLimits.connections),
  MAX_DOWNLOADS: wholeNumber(1, 10_000, defaultLimits.downloads),
  MAX_DOWNLOADS_PER_USER: wholeNumber(1, 10_000, defaultLimits.downloadsOfUser),
  STALLED_DOWNLOAD_SECONDS: seconds(defaultLimits.stalledDownloadSeconds),
  MAX_CONCURRENT_PULLS: wholeNumber(1, 100, 2),
  STALLED_PULL_SECONDS: seconds(1_800),
  ARCHIVE_SIZES_PER_MINUTE: wholeNumber(0, 60, 3),
  EXPENSIVE_CALLS_PER_MINUTE: wholeNumber(1, 1_000_000, defaultLimits.expensiveCallsPerMinute),
  SHUTDOWN_DRAIN_SECONDS: wholeNumber(0, 600, 0),
  TRUST_PROXY: z
    .string()
    .default('0')
    .transform(listOf)
    .refine((parts) => isHops(parts) || (parts.length > 0 && parts.every(isNetwork)), proxies)
    .transform((parts) => (isHops(parts) ? Number(parts[0]) : parts)),
  JOB_RETENTION_DAYS: days(defaultRetention.jobDays),
  JOB_RETENTION_COUNT: many(defaultRetention.jobs),
  JOB_LOG_RETENTION_DAYS: days(defaultRetention.jobLogDays),
  RUN_RETENTION_DAYS: days(defaultRetention.runDays),
  RUN_RETENTION_COUNT: many(defaultRetention.runsOfSchedule),
  EVENT_RETENTION_DAYS: days(defaultRetention.eventDays),
  DELIVERY_RETENTION_DAYS: days(defaultRetention.deliveryDays),
  INCIDENT_RETENTION_DAYS: days(defaultRetention.incidentDays),
  SESSIONS_PER_USER: many(defaultRetention.sessionsOfUser),
};

const isHops = (parts: readonly string[]) => parts.length === 1 && /^\d$/.test(parts[0] ?? '');

export interface LimitSettings {
  connections: ConnectionLimits;
  appLimits: AppLimits;
  retention: Retention;
  /** How long requests are still accepted after the readiness endpoint reports the shutdown. */
  shutdownDrainSeconds: number;
  maxConcurrentPulls: number;
  /** Number of external archives whose sizes are read per minute; 0: none. */
  archiveSizesPerMinute: number;
  stalledPullSeconds: number;
}

export const readLimits = (
  data: {
    [K in keyof typeof limitVariables]: z.output<(typeof limitVariables)[K]>;
  },
): LimitSettings => ({
  connections: {
    headersSeconds: data.HEADERS_TIMEOUT_SECONDS,
    requestSeconds: data.REQUEST_TIMEOUT_SECONDS,
    keepAliveSeconds: data.KEEP_ALIVE_TIMEOUT_SECONDS,
    connections: data.MAX_CONNECTIONS,
  },
  appLimits: {
    downloads: data.MAX_DOWNLOADS,
    downloadsOfUser: data.MAX_DOWNLOADS_PER_USER,
    stalledDownloadSeconds: data.STALLED_DOWNLOAD_SECONDS,
    expensiveCallsPerMinute: data.EXPENSIVE_CALLS_PER_MINUTE,
    trustProxy: data.TRUST_PROXY,
  },
  retention: {
    jobDays: data.JOB_RETENTION_DAYS,
    jobs: data.JOB_RETENTION_COUNT,
    jobLogDays: data.JOB_LOG_RETENTION_DAYS,
    runDays: data.RUN_RETENTION_DAYS,
    runsOfSchedule: data.RUN_RETENTION_COUNT,
    eventDays: data.EVENT_RETENTION_DAYS,
    deliveryDays: data.DELIVERY_RETENTION_DAYS,
    incidentDays: data.INCIDENT_RETENTION_DAYS,
    sessionsOfUser: data.SESSIONS_PER_USER,
  },
  shutdownDrainSeconds: data.SHUTDOWN_DRAIN_SECONDS,
  archiveSizesPerMinute: data.ARCHIVE_SIZES_PER_MINUTE,
  maxConcurrentPulls: data.MAX_CONCURRENT_PULLS,
  stalledPullSeconds: data.STALLED_PULL_SECONDS,
});
