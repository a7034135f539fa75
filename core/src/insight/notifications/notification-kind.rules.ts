import type { Message } from '../../foundation/kernel/index.js';

/** The flag of a setting that enables each kind of message. */
export const flagOf = {
  backup_start: 'notify_on_backup_start',
  backup_success: 'notify_on_backup_success',
  backup_warning: 'notify_on_backup_warning',
  backup_failure: 'notify_on_backup_failure',
  restore_success: 'notify_on_restore_success',
  restore_failure: 'notify_on_restore_failure',
  check_success: 'notify_on_check_success',
  check_failure: 'notify_on_check_failure',
  schedule_failure: 'notify_on_schedule_failure',
  backup_late: 'notify_on_backup_late',
  backup_on_time_again: 'notify_on_backup_on_time_again',
  damaged: 'notify_on_damaged',
  damage_over: 'notify_on_damaged',
  retention_paused: 'notify_on_retention_paused',
  retention_resumed: 'notify_on_retention_paused',
  incident: 'notify_on_incident',
  incident_over: 'notify_on_incident',
  report_weekly: 'notify_on_report_weekly',
} as const;

/** Events that users can be notified of. */
export type NotificationKind = keyof typeof flagOf;
export const notificationKinds = Object.keys(flagOf) as NotificationKind[];

type Flags = { [F in (typeof flagOf)[NotificationKind]]: boolean | null } & {
  notify_on_backup_success: boolean;
};

/** Channels from before the warning flag existed use the success flag. */
export const isToldOf = (setting: Flags, kind: NotificationKind): boolean =>
  setting[flagOf[kind]] ?? setting.notify_on_backup_success;

export const isNotificationKind = (kind: string): kind is NotificationKind => Object.hasOwn(flagOf, kind);

interface Happened {
  kind: string;
  repository_id: number | null;
  data: Record<string, unknown>;
}

/**
 * Groups failures: the same kind of work on the same repository, or the same schedule. Null unless it is a
 * failure.
 */
export function failureTopic({ kind, repository_id, data }: Happened): string | null {
  if (kind === 'schedule_failure') return scheduleTopic(data);
  const work = /^(backup|restore|check)_failure$/.exec(kind)?.[1];
  return work ? workTopic(work, repository_id) : null;
}

/** The topics that this event ends: none, the repository's work, or that and its schedule. */
export function recoveredTopics({ kind, repository_id, data }: Happened): string[] {
  const work = /^(backup|restore|check)_(success|warning)$/.exec(kind)?.[1];
  if (!work) return [];
  const topics = [workTopic(work, repository_id)];
  return work === 'backup' ? [...topics, scheduleTopic(data)].filter((topic) => topic !== null) : topics;
}

const workTopic = (work: string, repositoryId: number | null) => `${work}:${repositoryId ?? '-'}`;
const scheduleTopic = ({ schedule_id: id }: Record<string, unknown>) =>
  typeof id === 'number' ? `schedule:${id}` : null;

/** Ignores numbers (jobs, sizes, times) in the error text. */
export function sameFailure(a: Happened, b: Happened): boolean {
  const reason = ({ data }: Happened) => String(data.error_message ?? '').replace(/\d+/g, '#');
  return a.kind === b.kind && reason(a) === reason(b);
}

/** `collecting`: waits for more failures of its kind. `parked`: given up until a user resends it. */
const deliveryStatuses = ['collecting', 'pending', 'delivered', 'parked'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const second = 1_000;
const longestPause = 15 * 60 * second;

/** A message is retried for this long after it was queued, then parked. */
const triedFor = 24 * 60 * 60 * second;

/** The pause in milliseconds after a number of failed tries, at least 1. It doubles up to 15 minutes. */
export const pauseAfter = (attempts: number, firstPause: number): number =>
  Math.min(longestPause, firstPause * 2 ** Math.min(attempts - 1, 20));

/** The longest pause that a receiver can ask for: a faulty one must not silence a setting. */
export const longestAsked = 60 * 60 * second;

/** Messages due at `now`. A time further ahead than any pause was set by a clock that was ahead. */
export const dueAt = (now: number) => [{ lte: now }, { gt: now + longestAsked }];

/** When to retry after a failure at `now`, or null to give up. `pauseMs` is requested by the receiver. */
export function nextAttempt(
  { attempts, queuedAt, pauseMs = 0 }: { attempts: number; queuedAt: number; pauseMs?: number | undefined },
  now: number,
  firstPause: number,
): number | null {
  const next = now + Math.max(pauseAfter(attempts, firstPause), Math.min(pauseMs, longestAsked));
  return next <= queuedAt + triedFor ? next : null;
}

/** A failed attempt. `reason` has no secrets; `pauseMs` is the pause requested by the receiver. */
export type Failure = { sent: false; retryable: boolean; reason: Message; pauseMs?: number };

/** The result of one attempt. */
export type Transmission = { sent: true } | Failure;
