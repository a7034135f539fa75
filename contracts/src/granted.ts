import type { Right } from './schemas/grant.js';

/**
 * What limited users may call, by the right that they need on the repository in question; what they lack the right for
 * does not exist there. `none`: concerns only their own account, or nothing stored. Every other route is refused.
 */
const calls: Readonly<Record<Right | 'none', readonly string[]>> = {
  none: [
    'POST /api/auth/logout',
    'GET /api/auth/me',
    'POST /api/auth/refresh',
    'POST /api/auth/change-password',
    'POST /api/auth/confirm',
    'GET /api/auth/tokens',
    'POST /api/auth/tokens',
    'DELETE /api/auth/tokens/:id',
    'POST /api/download-tickets',
    'GET /api/schedule/cron-presets',
    'POST /api/schedule/validate-cron',
    'POST /api/schedule/preview',
  ],
  see: [
    'GET /api/archives/list',
    'GET /api/backup/jobs',
    'GET /api/backup/status/:job_id',
    'GET /api/events',
    'GET /api/history/days',
    'GET /api/incidents',
    'GET /api/incidents/:incident_id',
    'GET /api/jobs',
    'GET /api/jobs/:job_id',
    'GET /api/overview',
    'GET /api/repositories/',
    'GET /api/repositories/:repo_id',
    'GET /api/repositories/:repo_id/check-schedule',
    'GET /api/repositories/:repo_id/drill-schedule',
    'GET /api/repositories/:repo_id/history',
    'GET /api/repositories/:repo_id/running-jobs',
    ...['check', 'prune', 'compact'].flatMap((kind) => [
      `GET /api/repositories/${kind}-jobs/:job_id`,
      `GET /api/repositories/:repo_id/${kind}-jobs`,
    ]),
    'GET /api/schedule/',
    'GET /api/schedule/upcoming-jobs',
    'GET /api/schedule/:job_id',
    'GET /api/schedule/:job_id/runs',
    'GET /api/system/protection',
  ],
  restore: [
    'GET /api/archives/download',
    'GET /api/archives/history',
    'GET /api/archives/search',
    'GET /api/archives/search-everywhere',
    'GET /api/archives/:archive_id/contents',
    'GET /api/archives/:archive_id/diff',
    'GET /api/archives/:archive_id/info',
    'GET /api/archives/:archive_id/listing',
    'GET /api/archives/:archive_id/search',
    'GET /api/restore/archives/:repository_id',
    'GET /api/restore/contents/:repository_id/:archive_name',
    'GET /api/drills',
    'GET /api/drills/export',
    'GET /api/drills/:drill_id',
    'GET /api/backup/logs/:job_id/stream',
    'GET /api/backup/logs/:job_id/download',
    'GET /api/jobs/:job_id/log',
    'GET /api/jobs/:job_id/log/download',
    ...['check', 'prune', 'compact'].flatMap((kind) => [
      `GET /api/repositories/${kind}-jobs/:job_id/logs`,
      `GET /api/repositories/${kind}-jobs/:job_id/logs/download`,
    ]),
  ],
  operate: [
    'POST /api/backup/start',
    'POST /api/backup/cancel/:job_id',
    'POST /api/jobs/:job_id/cancel',
    'POST /api/repositories/:repo_id/check',
    'POST /api/repositories/:repo_id/test',
    'POST /api/repositories/check-jobs/:job_id/cancel',
    'POST /api/schedule/:job_id/run-now',
    'POST /api/restore/plan',
    'POST /api/restore/start',
    'POST /api/restore/cancel/:job_id',
    'GET /api/restore/jobs',
    'GET /api/restore/status/:job_id',
    'GET /api/restore/manifest/:job_id',
    'GET /api/restore/logs/:job_id',
    'GET /api/restore/logs/:job_id/download',
  ],
};

const byCall = new Map(
  Object.entries(calls).flatMap(([needed, all]) => all.map((call) => [call, needed as Right | 'none'])),
);

/** Undefined: limited users may not call it. */
export const neededRight = ({ method, path }: { method: string; path: string }): Right | 'none' | undefined =>
  byCall.get(`${method} ${path}`);

export const callsOfLimited: readonly string[] = [...byCall.keys()];
