import { type Message, say } from '../../foundation/kernel/index.js';
import { causeRules } from './cause.rules.js';
import { causes, type Ending, type Finding, type ObjectId, threadOf } from './incident.rules.js';
import type { IncidentFacts } from './incident-facts.js';
import { type IncidentRow, messageOfIncident } from './tables.js';

/** The changes that bring open incidents in line with the facts. */
export interface Changes {
  begin: Finding[];
  end: { row: IncidentRow; ending: Ending }[];
  /** Their snooze has ended. `message`: the current state. */
  remind: { row: IncidentRow; message: Message }[];
  /** When the clock alone may change the result; infinite when only a change can. Milliseconds. */
  nextAt: number;
}

/** Current problems by thread, and the open incidents that are over. */
export function judge(facts: IncidentFacts, open: readonly IncidentRow[]) {
  const threads = new Set(open.map(({ thread }) => thread));
  const findings = causes.flatMap((cause) => {
    const isOpen = (object: ObjectId) => threads.has(threadOf(cause, object));
    return causeRules[cause].find(facts, isOpen).map((finding): Finding => ({ ...finding, cause }));
  });
  const found = new Map(findings.map((finding) => [threadOf(finding.cause, finding.object), finding]));
  const over = new Map(
    open.flatMap((row) => {
      const ending = found.has(row.thread) ? null : endingOf(facts, row);
      return ending ? [[row, ending]] : [];
    }),
  );
  return { found, over };
}

export function compare(facts: IncidentFacts, open: readonly IncidentRow[]): Changes {
  const { now } = facts;
  const { found, over } = judge(facts, open);
  const threads = new Set(open.map(({ thread }) => thread));
  const lastsSince = ({ cause, since }: Finding) =>
    Math.min(since ?? 0, now) + (causeRules[cause].afterMs ?? 0);
  const unknown = [...found].filter(([thread]) => !threads.has(thread)).map(([, finding]) => finding);
  const asleep = open.filter((row) => row.snoozed_until !== null);
  const rested = asleep.filter((row) => !over.has(row) && (row.snoozed_until ?? 0) <= now);
  return {
    begin: unknown.filter((finding) => lastsSince(finding) <= now),
    end: [...over].map(([row, ending]) => ({ row, ending })),
    remind: rested.map((row) => ({ row, message: found.get(row.thread)?.message ?? messageOfIncident(row) })),
    nextAt: Math.min(
      ...[...unknown.map(lastsSince), ...asleep.map((row) => row.snoozed_until ?? 0), ...turningPoints(facts)]
        // Anything due already is handled now.
        .filter((at) => at > now),
    ),
  };
}

function endingOf(facts: IncidentFacts, row: IncidentRow): Ending | null {
  const object = { kind: row.object_kind, id: row.object_id };
  if (facts.exists(object)) return causeRules[row.cause].ending(facts, object);
  return { message: say`incident_over_removed: ${{ name: row.object_name }} was removed.`, tell: false };
}

/** When the judgement of a repository changes if nothing happens. */
const turningPoints = ({ repositories }: IncidentFacts): number[] =>
  repositories.flatMap(({ row, protection: { promise, until } }) =>
    promise === null ? [] : [(until ?? row.created_at + promise.ageMs) + 1],
  );
