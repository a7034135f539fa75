import { jobs } from '../../engine/jobs/index.js';
import type { RepositoryFacts } from '../monitoring/index.js';
import { type Changes, compare } from './compare.rules.js';
import type { Finding } from './incident.rules.js';
import { type IncidentFacts, readIncidentFacts } from './incident-facts.js';
import { localSpaces } from './local-spaces.js';
import type { IncidentsNeeds } from './needs.js';
import { recordProtectionChanges } from './protection-changes.js';
import { refreshLists } from './refresh-lists.js';
import { type IncidentRow, incidents, protectionStates } from './tables.js';
import { closeIncident, openIncident, remindOfIncident } from './write-incidents.js';

/** After a start, a repository whose backup waits or runs gets this long before it counts as late. */
const graceAfterStartMs = 10 * 60_000;

/**
 * Judges everything once, and opens and closes incidents. Safe in several instances at once. Resolves to the time at
 * which it should be done again even if nothing happens, in milliseconds.
 */
export const evaluator = (needs: IncidentsNeeds, startedAt: number) => {
  const readSpaces = localSpaces(needs);
  const readLists = refreshLists(needs);
  const look = async () => {
    // Reads recorded states before facts: a change in between makes this round do too little, never too much.
    const [open, states, [last]] = await Promise.all([
      needs.storage.find(incidents, { where: { is_open: true } }),
      needs.storage.find(protectionStates),
      needs.storage.find(incidents, { order: [['id', 'desc']], limit: 1 }),
    ]);
    const facts = await readIncidentFacts(needs, await readSpaces());
    return { open, states, facts, after: last?.id ?? 0 };
  };
  return async (): Promise<number> => {
    let seen = await look();
    const lists = await readLists(seen.facts.repositories.filter(dependsOnList));
    if (lists.read) seen = await look();
    const { open, states, facts, after } = seen;
    const graceEnds = startedAt + graceAfterStartMs;
    const caughtUp = facts.now < graceEnds ? await backingUp(needs) : new Set<number>();
    const isSure = (id: number) => !lists.untried.has(id);
    const sure = facts.repositories.filter(({ row }) => isSure(row.id));
    const changes = compare(facts, open);
    await recordProtectionChanges(
      needs,
      states.filter(({ repository_id }) => isSure(repository_id)),
      sure,
    );
    const begin = changes.begin.filter(
      ({ cause, object: { id } }) => cause !== 'late' || (isSure(id) && !caughtUp.has(id)),
    );
    await write(needs, { ...changes, begin }, { facts, after });
    if (lists.untried.size > 0) return facts.now;
    return caughtUp.size > 0 ? Math.min(graceEnds, changes.nextAt) : changes.nextAt;
  };
};

async function backingUp({ storage }: IncidentsNeeds): Promise<ReadonlySet<number | null>> {
  const where = { kind: 'backup' as const, status: { in: ['pending', 'running'] as const } };
  return new Set((await storage.find(jobs, { where })).map((job) => job.repository_id));
}

const dependsOnList = ({ row, protection }: RepositoryFacts) =>
  protection.state === 'late' || (protection.promise !== null && row.inventory_at === null);

async function write(
  needs: IncidentsNeeds,
  { begin, end, remind }: Omit<Changes, 'nextAt'>,
  { facts, after }: { facts: IncidentFacts; after: number },
): Promise<void> {
  for (const finding of begin) await openIncident(needs, finding, after);
  for (const { row, ending } of end) {
    await closeIncident(needs, row, { ...ending, repositoryIds: concerned(facts, row) });
  }
  for (const { row, message } of remind) {
    await remindOfIncident(needs, row, { message, repositoryIds: concerned(facts, row) });
  }
}

/** The repositories whose channels are notified of an incident. */
function concerned(
  { repositoriesOf, repositoriesAt }: IncidentFacts,
  { object_kind: kind, object_id: id }: IncidentRow,
): Finding['repositoryIds'] {
  if (kind === 'repository') return [id];
  if (kind === 'schedule') return repositoriesOf(id);
  return kind === 'connection' ? repositoriesAt(id) : [];
}
