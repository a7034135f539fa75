import { asReason, humanSize, type Message, say } from '../../foundation/kernel/index.js';

/** What needs somebody's attention, the most urgent cause first. */
export const causes = [
  'damaged',
  'does_not_open',
  'drill_failed',
  'late',
  'archives_unsigned',
  'host_key_changed',
  'delivery_parked',
  'storage_full',
  'storage_nearly_full',
  'schedule_failing',
  'retention_paused',
  'archive_incomplete',
  'list_outdated',
  'not_covered',
  'nobody_told',
  'recovery_sheet',
] as const;
type Cause = (typeof causes)[number];

interface AttentionObject {
  /** `service`: the whole of it, with the id 1. */
  kind: 'repository' | 'connection' | 'notification_setting' | 'schedule' | 'service';
  id: number;
  name: string;
}

/** One for each cause and object. */
export interface Attention {
  cause: Cause;
  object: AttentionObject;
  /** Milliseconds; null when unknown. */
  since: number | null;
  message: Message;
}

/** Instants in milliseconds, sizes in bytes. */
export interface AttentionFacts {
  repositories: readonly RepositoryAttention[];
  connections: readonly { id: number; host: string; changed: boolean; space: Room | null }[];
  /** Enabled notification settings whose last message was given up. */
  parked: readonly { id: number; name: string; count: number; since: number | null }[];
  /** `empty`: the service disabled it when it removed its last repository. */
  schedules: readonly ScheduleAttention[];
  /** Whether any notification setting is enabled. */
  told: boolean;
  /** Why the recovery sheet is of no use; null when it says all that is needed. */
  sheet: Message | null;
}

interface ScheduleAttention {
  id: number;
  name: string;
  enabled: boolean;
  empty: boolean;
  error: Message | null;
  at: number | null;
}

export interface RepositoryAttention {
  id: number;
  name: string;
  /** When damage was found that stands; null without. */
  damagedAt: number | null;
  openError: { error: Message; at: number | null; isFull?: boolean } | null;
  /** How many archives lack a valid signature. */
  unsigned?: number;
  /** The last drill failed, and why. */
  drill?: { text: string; at: number } | null;
  /** Ages in hours; `age` is null without an archive. */
  late: { age: number | null; promised: number; since: number | null } | null;
  /** Neither an objective nor an enabled schedule promises archives. */
  uncovered: boolean;
  /** The schedule that removes no archives of it any more, and why, as a clause. */
  paused: { schedule: string; reason: Message; since: number } | null;
  /** Start of an archive that does not count, newer than the newest that does; null without. */
  incompleteAt: number | null;
  /** What the last backup could not read; null without. */
  unread?: { count: number; at: number } | null;
  /** When its archives were last seen, if that is too long ago; else null. */
  outdated: { at: number | null } | null;
  /** Where it lies on this machine; null on another host, whose connection says it. */
  space: Room | null;
}

interface Room {
  free: number;
  total: number;
  at: number;
}

export interface SpaceLimit {
  share: number;
  bytes: number;
}

const gibibyte = 2 ** 30;
export const nearlyFull: SpaceLimit = { share: 0.05, bytes: gibibyte };

/** Less than the share or the bytes is free; for small file systems the bytes are at most half of them. */
export const isBelow = ({ free, total }: Pick<Room, 'free' | 'total'>, limit: SpaceLimit): boolean =>
  free < Math.max(total * limit.share, Math.min(limit.bytes, total * 0.5));

/** What needs attention: by cause, then the longest standing first. */
export function listAttention(facts: AttentionFacts): Attention[] {
  const found = [
    ...facts.repositories.flatMap(ofRepository),
    ...facts.connections.flatMap(ofConnection),
    ...facts.parked.map(ofSetting),
    ...facts.schedules.flatMap(ofSchedule),
    ...(facts.repositories.length > 0 && !facts.told ? [nobodyTold] : []),
    ...(facts.sheet ? [ofSheet(facts.sheet)] : []),
  ];
  const last = Number.POSITIVE_INFINITY;
  return found.sort(
    (a, b) =>
      causes.indexOf(a.cause) - causes.indexOf(b.cause) ||
      compare(a.since ?? last, b.since ?? last) ||
      a.object.id - b.object.id,
  );
}

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);

function ofRepository(facts: RepositoryAttention): Attention[] {
  const { id, name, damagedAt, openError, late, uncovered, paused, incompleteAt, outdated, space } = facts;
  const found: Attention[] = [];
  const add = (cause: Cause, since: number | null, message: Message) =>
    found.push({ cause, object: { kind: 'repository', id, name }, since, message });
  if (damagedAt !== null) {
    const text = say`attention_damaged: A check found damage in repository ${{ name }}, and no full check has passed since: see the log of the check.`;
    add('damaged', damagedAt, text);
  }
  if (openError) {
    const error = openError.error.text;
    const text = openError.isFull
      ? say`attention_storage_full: Nothing can be written to repository ${{ name }}: ${{ error }}`
      : say`attention_does_not_open: Repository ${{ name }} cannot be opened: ${{ error }}`;
    const cause = openError.isFull ? 'storage_full' : 'does_not_open';
    add(cause, openError.at, text.with(asReason(openError.error, 'error')));
  }
  if (facts.unsigned && !openError) {
    const text = say`attention_archives_unsigned: ${{ count: facts.unsigned }} archives of repository ${{ name }} are not signed: a newer borg would refuse them. Sign them.`;
    add('archives_unsigned', null, text);
  }
  if (facts.drill) {
    const { text: reason, at } = facts.drill;
    const text = say`attention_drill_failed: The last restore drill of repository ${{ name }} failed: ${{ reason }}`;
    add('drill_failed', at, text);
  }
  if (late) {
    add('late', late.since, lateness(name, late));
  }
  if (space && isBelow(space, nearlyFull)) add('storage_nearly_full', space.at, roomLeft(name, space));
  if (paused) {
    const { schedule, reason } = paused;
    const text = say`attention_retention_paused: Schedule ${{ schedule }} removes no archives of repository ${{ name }}: ${{ reason: reason.text }}. Resume its retention if this is as it should be.`;
    add('retention_paused', paused.since, text.with(asReason(reason)));
  }
  if (incompleteAt !== null) {
    const text = say`attention_archive_incomplete: The newest archive of repository ${{ name }} does not count: it is damaged, or lacks files or sources.`;
    add('archive_incomplete', incompleteAt, text);
  } else if (facts.unread) {
    const { count, at } = facts.unread;
    const text = say`attention_paths_unread: ${{ count }} files or folders of repository ${{ name }} could not be read by its last backup: let the service read them, or exclude them.`;
    add('archive_incomplete', at, text);
  }
  if (outdated && !openError) {
    const text = say`attention_list_outdated: The archives of repository ${{ name }} have not been listed for a long time: list them to see whether they still exist.`;
    add('list_outdated', outdated.at, text);
  }
  if (uncovered) {
    const text = say`attention_not_covered: No schedule promises archives of repository ${{ name }}: add it to an enabled schedule, or set an age limit.`;
    add('not_covered', null, text);
  }
  return found;
}

const lateness = (name: string, { age, promised }: NonNullable<RepositoryAttention['late']>): Message =>
  age === null
    ? say`attention_late_without_archive: Repository ${{ name }} has no archive that counts, and one was due.`
    : say`attention_late: The newest archive of repository ${{ name }} is ${{ age }} h old; at most ${{ promised }} h are promised.`;

const roomLeft = (name: string, { free, total }: Room): Message =>
  say`attention_storage_nearly_full: The storage of ${{ name }} is nearly full: ${{ free: humanSize(free) }} are free, ${{ percent: Math.round((100 * free) / total) }} %.`;

function ofConnection({ id, host, changed, space }: AttentionFacts['connections'][number]): Attention[] {
  const object = { kind: 'connection' as const, id, name: host };
  const text = say`attention_host_key_changed: Host ${{ host }} shows another key than the pinned one: it is not used until an administrator accepts the new key.`;
  return [
    ...(changed ? [{ cause: 'host_key_changed' as const, object, since: null, message: text }] : []),
    ...(space && isBelow(space, nearlyFull)
      ? [{ cause: 'storage_nearly_full' as const, object, since: space.at, message: roomLeft(host, space) }]
      : []),
  ];
}

const service = { kind: 'service' as const, id: 1, name: 'Holdfast' };

const ofSheet = (message: Message): Attention => ({
  cause: 'recovery_sheet',
  object: service,
  since: null,
  message,
});

const nobodyTold: Attention = {
  cause: 'nobody_told',
  object: service,
  since: null,
  message: say`attention_nobody_told: Nobody is told when a backup is late or fails: no notification setting is enabled.`,
};

const ofSetting = ({ id, name, count, since }: AttentionFacts['parked'][number]): Attention => ({
  cause: 'delivery_parked',
  object: { kind: 'notification_setting', id, name },
  since,
  message: say`attention_delivery_parked: Messages of notification setting ${{ name }} were not delivered (${{ count }}): see its deliveries, and resend them.`,
});

function ofSchedule({ id, name, enabled, empty, error, at }: ScheduleAttention): Attention[] {
  if (error === null || (!enabled && !empty)) return [];
  const message = enabled
    ? say`attention_schedule_failing: The last run of schedule ${{ name }} failed: ${{ error: error.text }}`
    : say`attention_schedule_disabled: Schedule ${{ name }} was disabled: ${{ error: error.text }}`;
  const object = { kind: 'schedule' as const, id, name };
  return [{ cause: 'schedule_failing', object, since: at, message: message.with(asReason(error, 'error')) }];
}
