import { type RetentionPauseRow, retentionPauses } from '../../backup/maintenance/index.js';
import { spaceAt } from '../../backup/repositories/index.js';
import { slots } from '../../backup/schedules/index.js';
import { isRemoteLocation, type SshConnectionRow, sshConnections } from '../../backup/ssh/index.js';
import { grouped } from '../../foundation/kernel/index.js';
import { type AllRepositories, type RepositoryFacts, readRepositoryFacts } from '../monitoring/index.js';
import { deliveries, notificationSettings } from '../notifications/tables.js';
import type { IncidentObject, ObjectId } from './incident.rules.js';
import type { IncidentsNeeds } from './needs.js';
import { type PlanFact, readPlans } from './planned.js';

/** Free and total bytes of one location. */
export interface Space {
  /** The connection; for a location on this machine, the first repository on it; the service for its data folder. */
  object: IncidentObject;
  free: number;
  total: number;
  /** When it was measured. */
  at: number;
  /** Names of the repositories stored on it; only the first ones of many. */
  repositories: string[];
  repositoryIds: number[];
}

/** The input of all cause rules, read at one time. */
export interface IncidentFacts extends AllRepositories {
  /** Schedules with a run that has not ended. */
  running: ReadonlySet<number>;
  repositoriesOf(scheduleId: number): number[];
  /** Those that a connection leads to, or whose files it reads. */
  repositoriesAt(connectionId: number): number[];
  connections: SshConnectionRow[];
  /** Whether any notification setting is enabled. */
  told: boolean;
  /** Enabled settings whose last message was given up. `since`: when the first one was. */
  parked: { id: number; name: string; count: number; since: number | null }[];
  spaces: Space[];
  /** Of a repository. */
  pausesOf(repositoryId: number): RetentionPauseRow[];
  /** Of a schedule. */
  nameOf(scheduleId: number): string | undefined;
  plans: PlanFact[];
  exists(object: ObjectId): boolean;
}

/**
 * Reads everything from the storage; the cost does not grow with the number of past jobs. `measured`: local
 * locations; without it, the last values stored for each repository.
 */
export async function readIncidentFacts(
  { storage, clock }: Pick<IncidentsNeeds, 'storage' | 'clock'>,
  measured?: readonly Space[],
): Promise<IncidentFacts> {
  const [facts, connections, settings, counts, open, pauses] = await Promise.all([
    readRepositoryFacts({ storage, clock }),
    storage.find(sshConnections),
    storage.find(notificationSettings, { where: { enabled: true } }),
    storage.aggregate(deliveries, {
      where: { status: 'parked' },
      groupBy: ['setting_id'],
      measures: { count: { count: true }, since: { min: 'ended_at' }, last: { max: 'ended_at' } },
    }),
    storage.find(slots, { where: { outcome: 'running' } }),
    storage.find(retentionPauses),
  ]);
  const { repositories, schedules, links } = facts;
  const linksOf = grouped(links, (link) => link.schedule_id);
  const repositoriesOf = (id: number) => (linksOf.get(id) ?? []).map((link) => link.repository_id);
  const usersOf = grouped(
    repositories.flatMap(({ row }) =>
      [...new Set([row.connection_id, row.source_connection_id])].map((at) => ({ at, id: row.id })),
    ),
    ({ at }) => at,
  );
  const pausesOfEach = grouped(pauses, (pause) => pause.repository_id);
  const names = new Map(schedules.map(({ id, name }) => [id, name]));
  const countsOf = new Map(counts.map((count) => [count.setting_id, count]));
  const ids = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id));
  const known = {
    repository: ids(repositories.map(({ row }) => row)),
    connection: ids(connections),
    notification_setting: ids(settings),
    schedule: ids(schedules),
    service: new Set([1]),
  };
  return {
    ...facts,
    running: new Set(open.map(({ schedule_id }) => schedule_id)),
    repositoriesOf,
    repositoriesAt: (connection) => (usersOf.get(connection) ?? []).map(({ id }) => id),
    connections,
    told: settings.length > 0,
    parked: settings.flatMap(({ id, name, last_used_at }) => {
      const { count, since, last } = countsOf.get(id) ?? {};
      // A later delivery shows that the channel works again.
      const stands = last != null && last > (last_used_at ?? 0);
      return stands ? [{ id, name, count: count ?? 0, since: since ?? null }] : [];
    }),
    spaces: [...(measured ?? repositories.flatMap(spaceHere)), ...remoteSpaces(connections, repositories)],
    pausesOf: (id) => pausesOfEach.get(id) ?? [],
    nameOf: (id) => names.get(id),
    plans: await readPlans(storage, facts, repositoriesOf),
    exists: ({ kind, id }) => known[kind].has(id),
  };
}

export const objectOf = ({ row: { id, name } }: RepositoryFacts) => ({
  kind: 'repository' as const,
  id,
  name,
});

function spaceHere(each: RepositoryFacts): Space[] {
  const space = isRemoteLocation(each.row.path) ? null : spaceAt(each.row, undefined);
  return space ? [{ object: objectOf(each), ...space, ...named([each.row]) }] : [];
}

/** As of when each host was last asked. */
function remoteSpaces(connections: readonly SshConnectionRow[], all: readonly RepositoryFacts[]): Space[] {
  const rows = grouped(
    all.map(({ row }) => row),
    (row) => row.connection_id,
  );
  return connections.flatMap(({ id, host, port, username, storage }) => {
    const there = rows.get(id) ?? [];
    if (!storage || storage.total <= 0 || there.length === 0) return [];
    const object = { kind: 'connection' as const, id, name: `${username}@${host}:${port}` };
    const { available: free, total, checkedAt: at } = storage;
    return [{ object, free, total, at, ...named(there) }];
  });
}

const maxNamed = 10;

export const named = (rows: readonly { id: number; name: string }[]) => ({
  repositories: rows.slice(0, maxNamed).map(({ name }) => name),
  repositoryIds: rows.map(({ id }) => id),
});
