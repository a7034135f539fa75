import type { StorageSession } from '@holdfast/plugin-api';
import { pauseReason, retentionPauses } from '../../backup/maintenance/index.js';
import { isSpaceError, openErrorOf, spaceAt } from '../../backup/repositories/index.js';
import { isRemoteLocation, type SshConnectionRow, sshKeys } from '../../backup/ssh/index.js';
import { lastErrorOf } from '../../foundation/kernel/index.js';
import { deliveries, notificationSettings } from '../notifications/tables.js';
import type { AttentionFacts, RepositoryAttention } from './attention.rules.js';
import type { AllRepositories, RepositoryFacts } from './repository-facts.js';
import { readKnownSheet, sheetProblem } from './sheet-state.js';

/** Archives that were seen longer ago may be gone. Milliseconds. */
const outdatedAfterMs = 48 * 3_600_000;
const maxText = 300;

/** What needs attention beside repositories and connections. */
export async function readTroubles(storage: Pick<StorageSession, 'find' | 'aggregate'>) {
  const [settings, counts, pauses, sheet, [key]] = await Promise.all([
    storage.find(notificationSettings, { where: { enabled: true } }),
    storage.aggregate(deliveries, {
      where: { status: 'parked' },
      groupBy: ['setting_id'],
      measures: { count: { count: true }, since: { min: 'ended_at' }, last: { max: 'ended_at' } },
    }),
    storage.find(retentionPauses, { order: [['since', 'desc']] }),
    readKnownSheet(storage),
    storage.find(sshKeys, { limit: 1 }),
  ]);
  const countOf = new Map(counts.map((row) => [row.setting_id, row]));
  const parked = settings.flatMap(({ id, name, last_used_at }) => {
    const { count, since, last } = countOf.get(id) ?? {};
    // What was delivered since shows that messages arrive again.
    const stands = last != null && last > (last_used_at ?? 0);
    return stands ? [{ id, name, count: count ?? 0, since: since ?? null }] : [];
  });
  return { parked, pauses, told: settings.length > 0, sheet, sshKey: key?.fingerprint ?? null };
}

/** What `listAttention` judges by, without asking the tool or another host. */
export function attentionFacts(
  { now, repositories, schedules, links }: AllRepositories,
  connections: readonly SshConnectionRow[],
  { parked, pauses, told, sheet, sshKey }: Awaited<ReturnType<typeof readTroubles>>,
): AttentionFacts {
  // The longest one of each repository stays.
  const pausedIn = new Map(pauses.map((pause) => [pause.repository_id, pause]));
  const nameOf = new Map(schedules.map(({ id, name }) => [id, name]));
  const filled = new Set(links.map(({ schedule_id }) => schedule_id));
  const used = new Set(repositories.map(({ row }) => row.connection_id));
  return {
    repositories: repositories.map((facts) => {
      const pause = pausedIn.get(facts.row.id);
      const schedule = nameOf.get(pause?.schedule_id ?? 0);
      const paused =
        pause && schedule !== undefined
          ? { schedule, reason: pauseReason(pause).map(shortened), since: pause.since }
          : null;
      return { ...repositoryAttention(facts, now), paused };
    }),
    connections: connections.map((row) => ({
      id: row.id,
      host: row.host,
      changed: row.status === 'host_key_changed',
      space: used.has(row.id) ? roomOf(row) : null,
    })),
    parked,
    told,
    sheet: sheetProblem(sheet, { repositories: repositories.map(({ row }) => row), connections, sshKey }),
    schedules: schedules.map(({ id, name, enabled, last_run, ...row }) => ({
      id,
      name,
      enabled,
      empty: !filled.has(id),
      at: last_run,
      error: lastErrorOf(row)?.map(shortened) ?? null,
    })),
  };
}

const roomOf = ({ storage }: SshConnectionRow) =>
  storage && { free: storage.available, total: storage.used + storage.available, at: storage.checkedAt };

const hourMs = 3_600_000;
const inHours = (ms: number) => Math.round((10 * ms) / hourMs) / 10;

function repositoryAttention(facts: RepositoryFacts, now: number): Omit<RepositoryAttention, 'paused'> {
  const { row, figures, protection, newestArchive, uncountedAt, drills } = facts;
  const { state, promise, until, damaged } = protection;
  const age = newestArchive === null ? null : inHours(now - newestArchive);
  const seen = archivesSeenAt(facts);
  const error = openErrorOf(row);
  const { unread = 0, endedAt = now } = figures.last.backup?.good ?? {};
  return {
    id: row.id,
    name: row.name,
    damagedAt: damaged ? (figures.last.check?.damaged?.endedAt ?? now) : null,
    openError: error && {
      error: error.map(shortened),
      at: row.open_error_at,
      isFull: isSpaceError(row.open_error_kind),
    },
    unsigned: row.unsigned_archives,
    drill: drills?.failed_at == null ? null : { text: shortened(drills.failure ?? ''), at: drills.failed_at },
    late: state === 'late' && promise ? { age, promised: inHours(promise.ageMs), since: until } : null,
    uncovered: promise === null,
    incompleteAt: uncountedAt,
    unread: unread ? { count: unread, at: endedAt } : null,
    outdated: isOutdated(seen, now) ? { at: seen } : null,
    space: isRemoteLocation(row.path) ? null : spaceAt(row, undefined),
  };
}

/** When the archives of a repository were last seen: listed, or made by a backup; null when never. */
export const archivesSeenAt = ({ row, figures }: Pick<RepositoryFacts, 'row' | 'figures'>): number | null =>
  Math.max(row.inventory_at ?? 0, figures.last.backup?.good?.endedAt ?? 0) || null;

export const isOutdated = (seenAt: number | null, now: number): boolean =>
  seenAt === null || now - seenAt > outdatedAfterMs;

const shortened = (text: string): string => (text.length <= maxText ? text : `${text.slice(0, maxText)}…`);
