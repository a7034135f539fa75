/** The events that people may want to hear of. A backup with warnings comes under the flag of success. */
export const notificationKinds = [
  'backup_start',
  'backup_success',
  'backup_warning',
  'backup_failure',
  'restore_success',
  'restore_failure',
  'check_success',
  'check_failure',
  'schedule_failure',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The flag of a setting that switches a kind of message on. */
export const flagOf = {
  backup_start: 'notify_on_backup_start',
  backup_success: 'notify_on_backup_success',
  backup_warning: 'notify_on_backup_success',
  backup_failure: 'notify_on_backup_failure',
  restore_success: 'notify_on_restore_success',
  restore_failure: 'notify_on_restore_failure',
  check_success: 'notify_on_check_success',
  check_failure: 'notify_on_check_failure',
  schedule_failure: 'notify_on_schedule_failure',
} as const satisfies Record<NotificationKind, string>;

export type NotificationFlag = (typeof flagOf)[NotificationKind];

export const isNotificationKind = (kind: string): kind is NotificationKind => Object.hasOwn(flagOf, kind);

interface Happened {
  kind: string;
  repository_id: number | null;
  data: Record<string, unknown>;
}

/** What a failure is about: the same kind of work on the same repository, or the same schedule. Null for no failure. */
export function failureTopic({ kind, repository_id, data }: Happened): string | null {
  if (kind === 'schedule_failure') return scheduleTopic(data);
  const work = /^(backup|restore|check)_failure$/.exec(kind)?.[1];
  return work ? workTopic(work, repository_id) : null;
}

/** What works again, with this event: none, one, or the repository's work and its schedule. */
export function recoveredTopics({ kind, repository_id, data }: Happened): string[] {
  const work = /^(backup|restore|check)_(success|warning)$/.exec(kind)?.[1];
  if (!work) return [];
  const topics = [workTopic(work, repository_id)];
  return work === 'backup' ? [...topics, scheduleTopic(data)].filter((topic) => topic !== null) : topics;
}

const workTopic = (work: string, repositoryId: number | null) => `${work}:${repositoryId ?? '-'}`;
const scheduleTopic = ({ schedule_id: id }: Record<string, unknown>) =>
  typeof id === 'number' ? `schedule:${id}` : null;

/** Numbers in an error text (jobs, sizes, times) don't make it another failure. */
export function sameFailure(a: Happened, b: Happened): boolean {
  const reason = ({ data }: Happened) => String(data.error_message ?? '').replace(/\d+/g, '#');
  return a.kind === b.kind && reason(a) === reason(b);
}
