import type { OverviewAttention } from '@holdfast/contracts';
import { isoTime, type Message, say, sentenceOf } from '../../foundation/kernel/index.js';
import { archivesSeenAt, isOutdated, type RepositoryFacts } from '../monitoring/index.js';
import { judge } from './compare.rules.js';
import { type Cause, type IncidentObject, threadOf } from './incident.rules.js';
import { type IncidentFacts, objectOf } from './incident-facts.js';
import { type IncidentRow, messageOfIncident } from './tables.js';

type Hint =
  | 'archive_incomplete'
  | 'list_outdated'
  | 'unknown'
  | 'not_covered'
  | 'no_channel'
  | 'recovery_sheet';

/** The most urgent first. */
export const attentionCauses: readonly (Cause | Hint)[] = [
  'damaged',
  'cannot_open',
  'mass_change',
  'drill_failed',
  'late',
  'archives_unsigned',
  'host_key_changed',
  'delivery_parked',
  'storage_full',
  'storage_nearly_full',
  'schedule_failing',
  'planned_too_far',
  'retention_paused',
  'archive_incomplete',
  'list_outdated',
  'unknown',
  'not_covered',
  'no_channel',
  'recovery_sheet',
];

interface Entry {
  cause: Cause | Hint;
  object: IncidentObject;
  since: number | null;
  message: Message;
}

/**
 * Everything that needs attention: current problems that may not be incidents yet, incidents that may or may
 * not be over, and hints. Sorted by cause, then oldest first. `sheet`: why the recovery sheet cannot be used.
 */
export function listAttention(
  facts: IncidentFacts,
  open: readonly IncidentRow[],
  sheet: Message | null,
): OverviewAttention[] {
  const incidents = new Map(open.map((row) => [row.thread, row]));
  // The incident may have newer data than the measurement before it.
  const spaces = facts.spaces.filter(({ object, at }) => {
    const incident = incidents.get(threadOf('storage_nearly_full', object));
    return !incident || at >= incident.opened_at;
  });
  const { found, over } = judge({ ...facts, spaces }, open);
  const kept = open.filter((row) => !found.has(row.thread) && !over.has(row)).map(entryOf);
  const last = Number.POSITIVE_INFINITY;
  return [
    ...found.values(),
    ...kept,
    ...facts.repositories.flatMap((each) => hintsOf(each, facts.now)),
    ...hints(facts, sheet),
  ]
    .map(({ cause, object, since, message }) => {
      const incident = incidents.get(`${cause}:${object.kind}:${object.id}`);
      return { cause, object, since: since ?? incident?.since ?? null, message, incident };
    })
    .sort(
      (a, b) =>
        attentionCauses.indexOf(a.cause) - attentionCauses.indexOf(b.cause) ||
        compareNumbers(a.since ?? last, b.since ?? last) ||
        a.object.id - b.object.id,
    )
    .map(({ cause, object, since, message, incident }) => ({
      cause,
      object,
      since: isoTime(since),
      ...sentenceOf(message),
      incident_id: incident?.id ?? null,
      snoozed_until: isoTime(incident?.snoozed_until ?? null),
    }));
}

const compareNumbers = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);

const entryOf = (row: IncidentRow): Entry => ({
  cause: row.cause,
  object: { kind: row.object_kind, id: row.object_id, name: row.object_name },
  since: row.since,
  message: messageOfIncident(row),
});

function hintsOf(facts: RepositoryFacts, now: number): Entry[] {
  const { row, figures, protection, uncountedAt } = facts;
  const { name } = row;
  const hint = (cause: Hint, since: number | null, message: Message): Entry => ({
    cause,
    object: objectOf(facts),
    since,
    message,
  });
  const found: Entry[] = [];
  const { unread: count = 0, endedAt = now } = figures.last.backup?.good ?? {};
  if (uncountedAt !== null) {
    const text = say`attention_archive_incomplete: The newest archive of repository ${{ name }} does not count: it is damaged, or files or sources are missing from it.`;
    found.push(hint('archive_incomplete', uncountedAt, text));
  } else if (count > 0) {
    const text = say`attention_paths_unread: The last backup of repository ${{ name }} could not read ${{ count }} files or folders: give Holdfast access to them, or exclude them.`;
    found.push(hint('archive_incomplete', endedAt, text));
  }
  const seenAt = archivesSeenAt(facts);
  if (row.open_error === null && isOutdated(seenAt, now)) {
    const text = say`attention_list_outdated: The archives of repository ${{ name }} have not been listed for a long time: list them to see whether they still exist.`;
    found.push(hint('list_outdated', seenAt, text));
  }
  if (protection.promise === null) {
    const text = say`attention_not_covered: ${{ name }} is in no enabled schedule. Add it to one, or set an age limit.`;
    found.push(hint('not_covered', null, text));
  }
  // Whatever the headline counts has an entry.
  const isNamed = found.length > 0 || row.open_error !== null || protection.damaged;
  if (!isNamed && protection.state === 'unknown') found.push(hint('unknown', null, protection.reasons[0]));
  return found;
}

const object = { kind: 'service' as const, id: 1, name: 'Holdfast' };

function* hints({ repositories, told }: IncidentFacts, sheet: Message | null): Iterable<Entry> {
  const since = null;
  if (repositories.length > 0 && !told) {
    const message = say`attention_no_channel: No notification channel is enabled, so you will not be notified when a backup is late or fails.`;
    yield { cause: 'no_channel', object, since, message };
  }
  if (sheet) yield { cause: 'recovery_sheet', object, since, message: sheet };
}
