import { Message, say } from '../../foundation/kernel/index.js';
import { causeRules, graceAfterStartMs } from './cause.rules.js';
import { causes, type Ending, type Finding, type ObjectId, threadOf } from './incident.rules.js';
import type { IncidentFacts } from './incident-facts.js';
import type { IncidentRow } from './tables.js';

/** What has to change so that the open incidents are those that the facts show. */
export interface Changes {
  begin: Finding[];
  end: { row: IncidentRow; ending: Ending }[];
  /** Their snooze is over. `message`: what is known now. */
  remind: { row: IncidentRow; message: Message }[];
  /** When the clock alone may change the result; infinite when only a change can. Milliseconds. */
  nextAt: number;
}

export function compare(facts: IncidentFacts, open: readonly IncidentRow[]): Changes {
  const { now } = facts;
  const byThread = new Map(open.map((row) => [row.thread, row]));
  const findings = causes.flatMap((cause) => {
    const isOpen = (object: ObjectId) => byThread.has(threadOf(cause, object));
    return causeRules[cause].find(facts, isOpen).map((finding): Finding => ({ ...finding, cause }));
  });
  const found = new Map(findings.map((finding) => [threadOf(finding.cause, finding.object), finding]));
  const lastsSince = ({ cause, since }: Finding) => Math.min(since, now) + (causeRules[cause].afterMs ?? 0);
  const unknown = [...found].filter(([thread]) => !byThread.has(thread)).map(([, finding]) => finding);
  const asleep = open.filter((row) => row.snoozed_until !== null);
  const end = open.flatMap((row) => {
    const ending = found.has(row.thread) ? null : endingOf(facts, row);
    return ending ? [{ row, ending }] : [];
  });
  const over = new Set(end.map(({ row }) => row));
  const rested = asleep.filter((row) => !over.has(row) && (row.snoozed_until ?? 0) <= now);
  return {
    begin: unknown.filter((finding) => lastsSince(finding) <= now),
    end,
    remind: rested.map((row) => {
      const { code, params, sentence } = row;
      return { row, message: found.get(row.thread)?.message ?? new Message(code, params, sentence) };
    }),
    nextAt: Math.min(
      ...[...unknown.map(lastsSince), ...asleep.map((row) => row.snoozed_until ?? 0), ...turningPoints(facts)]
        // What is due already is done now.
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
const turningPoints = ({ repositories, startedAt }: IncidentFacts): number[] => [
  startedAt + graceAfterStartMs,
  ...repositories.flatMap(({ row, protection: { promise, until } }) =>
    promise === null ? [] : [(until ?? row.created_at + promise.ageMs) + 1],
  ),
];
