import { hookJournals } from '../../backup/hooks/index.js';
import { archives, pins, repositories, repositoryMakings } from '../../backup/repositories/index.js';
import { removePlans, restorePlans } from '../../backup/restore/index.js';
import { instances, instanceTimes, jobs } from '../../engine/jobs/index.js';
import {
  browserSessions,
  challenges,
  downloadTickets,
  endBrowserSessions,
  endSessionsUpTo,
  tokens,
} from '../../foundation/accounts/index.js';
import { samples } from '../../insight/history/index.js';
import { incidents } from '../../insight/incidents/index.js';
import { deliveries } from '../../insight/notifications/index.js';
import { idempotencyKeys } from '../requests/tables.js';
import { batchOfRows, dayMs, daysAgo, removeInBatches, type Sweep } from './sweep.js';

/** How long closed hook journals are retained. Nothing reads them. */
const journalsKeptMs = dayMs;
/** Minimum retention of grouped failures: a recovery must find the failure that it ends. */
const groupedKeptDays = 365;

export const removeExpiredTokens = async (sweep: Sweep): Promise<void> => {
  await removeInBatches(sweep, tokens, { expires_at: { lte: sweep.clock.now() } });
  await removeSurplusSessions(sweep);
};

async function removeSurplusSessions({ storage, retention, going }: Sweep): Promise<void> {
  const session = { kind: 'session' as const, session_id: null };
  const groups = await storage.aggregate(tokens, {
    where: session,
    groupBy: ['user_id'],
    measures: { count: { count: true } },
  });
  for (const { user_id, count } of groups) {
    if (!going() || (count ?? 0) <= retention.sessionsOfUser) continue;
    const where = { ...session, user_id };
    const order = [['id', 'desc']] as const;
    const query = { where, order, limit: 1, offset: retention.sessionsOfUser };
    const [first] = await storage.find(tokens, query);
    if (first) await endSessionsUpTo(storage, first);
  }
}

export const removeExpiredBrowserSessions = async (sweep: Sweep): Promise<void> => {
  await removeInBatches(sweep, browserSessions, { expires_at: { lte: sweep.clock.now() } });
  const groups = await sweep.storage.aggregate(browserSessions, {
    groupBy: ['user_id'],
    measures: { count: { count: true } },
  });
  for (const { user_id, count } of groups) {
    await removeOldestBrowserSessions(sweep, user_id, (count ?? 0) - sweep.retention.sessionsOfUser);
  }
};

async function removeOldestBrowserSessions({ storage, going }: Sweep, user_id: number, surplus: number) {
  for (let left = surplus; left > 0 && going(); left -= batchOfRows) {
    const limit = Math.min(left, batchOfRows);
    const rows = await storage.find(browserSessions, { where: { user_id }, order: [['id', 'asc']], limit });
    const ids = rows.map(({ id }) => id);
    await storage.transaction((session) => endBrowserSessions(session, ids));
  }
}

export const removeExpiredTickets = (sweep: Sweep): Promise<void> =>
  removeInBatches(sweep, downloadTickets, { expires_at: { lte: sweep.clock.now() } });

export const removeExpiredChallenges = (sweep: Sweep): Promise<void> =>
  removeInBatches(sweep, challenges, { expires_at: { lte: sweep.clock.now() } });

export const removeExpiredKeys = (sweep: Sweep): Promise<void> =>
  removeInBatches(sweep, idempotencyKeys, { expires_at: { lte: sweep.clock.now() } });

export const removeExpiredPins = (sweep: Sweep): Promise<void> =>
  removeInBatches(sweep, pins, { until: { lte: sweep.clock.now() } });

/** Interrupted registrations of repositories: too old for a retry, and seen by each machine that was away. */
export const removeAbandonedRegistrations = (sweep: Sweep): Promise<void> =>
  removeInBatches(sweep, repositoryMakings, { lease_until: { lte: daysAgo(sweep, 30) } });

export const removeDeadInstances = (sweep: Sweep): Promise<void> =>
  removeInBatches(sweep, instances, { lease_until: { lt: sweep.clock.now() - instanceTimes.forgetMs } });

export const removeClosedJournals = (sweep: Sweep): Promise<void> =>
  removeInBatches(sweep, hookJournals, {
    stage: 'closed',
    closed_at: { lt: sweep.clock.now() - journalsKeptMs },
  });

/** Keeps the plans of pending and running restores, however old. */
export async function removeOldPlans(sweep: Sweep): Promise<void> {
  const { storage, clock, going } = sweep;
  const expired = { expires_at: { lt: clock.now() } };
  await removeInBatches(sweep, restorePlans, { ...expired, job_id: null });
  for (let after = 0; going(); ) {
    const where = { ...expired, id: { gt: after } };
    const rows = await storage.find(restorePlans, { where, order: [['id', 'asc']], limit: batchOfRows });
    const ids = rows.flatMap(({ job_id }) => job_id ?? []);
    const waiting = await storage.find(jobs, {
      where: { id: { in: ids }, status: { in: ['pending', 'running'] } },
    });
    const needed = new Set(waiting.map(({ id }) => id));
    const gone = rows.filter(({ job_id }) => job_id !== null && !needed.has(job_id)).map(({ id }) => id);
    if (gone.length > 0) await removePlans(storage, gone);
    if (rows.length < batchOfRows) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Removes messages that were delivered or given up; those of incidents stay as long as these. */
export async function removeOldDeliveries(sweep: Sweep): Promise<void> {
  const { deliveryDays } = sweep.retention;
  const status = { in: ['delivered', 'parked'] as const };
  const before = (days: number) => ({ lt: daysAgo(sweep, days) });
  const plain = { status, topic: null, incident_id: null };
  await removeInBatches(sweep, deliveries, { ...plain, ended_at: before(deliveryDays) });
  const longest = Math.max(deliveryDays, groupedKeptDays, sweep.retention.incidentDays);
  await removeInBatches(sweep, deliveries, { status, ended_at: before(longest) });
}

export const removeOldIncidents = (sweep: Sweep): Promise<void> =>
  removeInBatches(sweep, incidents, { recovered_at: { lt: daysAgo(sweep, sweep.retention.incidentDays) } });

/**
 * Removes what is left of registrations that nobody took up again for as long as jobs are retained. Their archives and
 * samples go first, so that a turn that was cut off is continued by the next one.
 */
export async function removeOldRegistrations(sweep: Sweep): Promise<void> {
  const { storage, retention, going } = sweep;
  const where = { removed_at: { lt: daysAgo(sweep, retention.jobDays) } };
  for (const { id } of await storage.find(repositories, { where, limit: batchOfRows })) {
    if (!going()) return;
    await removeInBatches(sweep, archives, { repository_id: id });
    await removeInBatches(sweep, samples, { repository_id: id });
    if (going()) await removeInBatches(sweep, repositories, { id, ...where });
  }
}
