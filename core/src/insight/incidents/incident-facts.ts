import { type RetentionPauseRow, retentionPauses } from '../../backup/maintenance/index.js';
import { scheduleRepositories, slots } from '../../backup/schedules/index.js';
import { type SshConnectionRow, sshConnections } from '../../backup/ssh/index.js';
import { type JudgedSchedule, type RepositoryFacts, readMetricFacts } from '../monitoring/index.js';
import { deliveries, notificationSettings } from '../notifications/tables.js';
import type { IncidentObject, ObjectId } from './incident.rules.js';
import type { IncidentsNeeds } from './needs.js';
import { type PlanFact, readPlans } from './planned.js';

export type RepositoryFact = Pick<
  RepositoryFacts,
  'row' | 'figures' | 'newestArchive' | 'damagedArchives' | 'protection' | 'drills'
>;

/** Free and total bytes of one place. */
export interface Space {
  /** The connection; for a location on this machine, the first repository on it; the service for its data folder. */
  object: IncidentObject;
  free: number;
  total: number;
  /** Names of the repositories that are stored there; the first ones of many. */
  repositories: string[];
  repositoryIds: number[];
}

/** What all causes are judged by, read at one time. */
export interface IncidentFacts {
  now: number;
  /** When this process began to watch. */
  startedAt: number;
  repositories: RepositoryFact[];
  /** Repositories with a backup that waits or runs. */
  backingUp: ReadonlySet<number>;
  schedules: JudgedSchedule[];
  /** Schedules with a run that has not ended. */
  running: ReadonlySet<number>;
  repositoriesOf(scheduleId: number): number[];
  connections: SshConnectionRow[];
  /** Enabled settings whose last message was given up. */
  parked: { id: number; name: string; count: number; last: number }[];
  spaces: Space[];
  pauses: RetentionPauseRow[];
  plans: PlanFact[];
  exists(object: ObjectId): boolean;
}

interface Known {
  startedAt: number;
  /** The places of this machine. */
  spaces: Space[];
}

/** Everything is read from the storage. The cost does not grow with the number of past jobs. */
export async function readIncidentFacts(
  { storage, clock }: IncidentsNeeds,
  { startedAt, spaces }: Known,
): Promise<IncidentFacts> {
  const [facts, connections, settings, parked, links, open, pauses] = await Promise.all([
    readMetricFacts({ storage, clock }),
    storage.find(sshConnections),
    storage.find(notificationSettings),
    storage.aggregate(deliveries, {
      where: { status: 'parked' },
      groupBy: ['setting_id'],
      measures: { count: { count: true }, last: { max: 'ended_at' } },
    }),
    storage.find(scheduleRepositories),
    storage.find(slots, { where: { outcome: 'running' } }),
    storage.find(retentionPauses),
  ]);
  const { now, repositories, schedules } = facts;
  const repositoriesBySchedule = new Map<number, number[]>();
  for (const { schedule_id, repository_id } of links) {
    repositoriesBySchedule.set(schedule_id, [
      ...(repositoriesBySchedule.get(schedule_id) ?? []),
      repository_id,
    ]);
  }
  const ids = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id));
  const known = {
    repository: ids(repositories.map(({ row }) => row)),
    connection: ids(connections),
    notification_setting: ids(settings.filter(({ enabled }) => enabled)),
    schedule: ids(schedules),
    service: new Set([1]),
  };
  return {
    now,
    startedAt,
    repositories,
    backingUp: new Set(
      facts.open.flatMap(({ kind, repositoryId: id }) => (kind === 'backup' && id !== null ? [id] : [])),
    ),
    schedules,
    running: new Set(open.map(({ schedule_id }) => schedule_id)),
    repositoriesOf: (id) => repositoriesBySchedule.get(id) ?? [],
    connections,
    parked: settings.flatMap(({ id, name, enabled, last_used_at }) => {
      const { count, last } = parked.find(({ setting_id }) => setting_id === id) ?? {};
      return enabled && last != null && last > (last_used_at ?? 0)
        ? [{ id, name, count: count ?? 0, last }]
        : [];
    }),
    spaces: [...spaces, ...remoteSpaces(connections, repositories)],
    pauses,
    plans: await readPlans(storage, facts, (id) => repositoriesBySchedule.get(id) ?? []),
    exists: ({ kind, id }) => known[kind].has(id),
  };
}

/** As of when each host was last asked. */
const remoteSpaces = (connections: readonly SshConnectionRow[], all: readonly RepositoryFact[]): Space[] =>
  connections.flatMap(({ id, host, port, username, storage }) => {
    const there = all.filter(({ row }) => row.connection_id === id).map(({ row }) => row);
    if (!storage || storage.total <= 0 || there.length === 0) return [];
    const object = { kind: 'connection' as const, id, name: `${username}@${host}:${port}` };
    return [{ object, free: storage.available, total: storage.total, ...named(there) }];
  });

const maxNamed = 10;

export const named = (rows: readonly { id: number; name: string }[]) => ({
  repositories: rows.slice(0, maxNamed).map(({ name }) => name),
  repositoryIds: rows.map(({ id }) => id),
});
