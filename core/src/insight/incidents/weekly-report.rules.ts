import type { RepositoryFacts } from '../monitoring/index.js';
import type { WeeklyReport } from '../notifications/index.js';
import type { IncidentRow } from './tables.js';

/** The input of weekly reports. Instants in milliseconds. */
export interface WeekFacts {
  from: number;
  until: number;
  repositories: readonly RepositoryFacts[];
  open: readonly IncidentRow[];
  /** Each setting that gets a report, with the repositories that it monitors; null for all. */
  settings: readonly [settingId: number, repositoryIds: ReadonlySet<number> | null][];
  /** Of archives whose sizes were read later, it is not known what they added. */
  added: readonly {
    repository_id: number;
    measured_at: number | null;
    count: number | null;
    bytes: number | null;
  }[];
  runs: readonly { schedule_id: number; outcome: string; count: number | null }[];
  links: readonly { schedule_id: number; repository_id: number }[];
}

const maxSteps = 20;
const ran = new Set(['completed', 'completed_with_warnings', 'failed', 'running']);

/** The report about some repositories, or all. */
export function reportFor(week: WeekFacts, ids: ReadonlySet<number> | null): WeeklyReport {
  const isMeant = (id: number) => ids === null || ids.has(id);
  const found = week.repositories.filter(({ row }) => isMeant(row.id));
  const count = (state: string) => found.filter(({ protection }) => protection.state === state).length;
  const added = week.added.filter((each) => isMeant(each.repository_id));
  const meant = new Set(
    week.links.filter((link) => isMeant(link.repository_id)).map((link) => link.schedule_id),
  );
  const runs = week.runs.filter((run) => ids === null || meant.has(run.schedule_id));
  const open = week.open.filter(
    (row) => ids === null || (row.repository_id !== null && ids.has(row.repository_id)),
  );
  const damaged = found.filter(({ protection }) => protection.damaged).length;
  return {
    from: week.from,
    until: week.until,
    repositories: { protected: count('protected'), late: count('late'), unknown: count('unknown'), damaged },
    runs: {
      planned: sum(runs),
      ran: sum(runs.filter(({ outcome }) => ran.has(outcome))),
      failed: sum(runs.filter(({ outcome }) => outcome === 'failed')),
    },
    growth: {
      archives: sum(added),
      bytes: added.reduce(
        (all, { bytes, measured_at }) => all + (measured_at === null ? (bytes ?? 0) : 0),
        0,
      ),
    },
    oldest_check: oldest(found, ({ row }) => row.last_check),
    oldest_restore: oldest(found, ({ figures }) => figures.last.restore?.clean?.endedAt ?? null),
    next_steps: open.slice(0, maxSteps).map(({ sentence }) => sentence),
    open_incidents: open.length,
  };
}

const sum = (rows: readonly { count: number | null }[]): number =>
  rows.reduce((total, { count }) => total + (count ?? 0), 0);

function oldest(
  found: readonly RepositoryFacts[],
  at: (fact: RepositoryFacts) => number | null,
): WeeklyReport['oldest_check'] {
  const [first] = found
    .map((fact) => ({ repository: fact.row.name, at: at(fact) }))
    .sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  if (!first) return null;
  return { ...first, at: first.at === null ? null : new Date(first.at).toISOString() };
}
