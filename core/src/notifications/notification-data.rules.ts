import { type Group, workOf } from './notification-grouping.rules.js';
import type { Notified } from './notification-text.rules.js';

/** When it happened, under the name that each kind has for it. */
const timeField: Record<Notified['kind'], string> = {
  backup_start: 'started_at',
  backup_success: 'completed_at',
  backup_warning: 'completed_at',
  backup_failure: 'failed_at',
  restore_success: 'completed_at',
  restore_failure: 'failed_at',
  check_success: 'completed_at',
  check_failure: 'completed_at',
  schedule_failure: 'failed_at',
};

/** The facts of an event for programs. `topic` is set when it tells the end of failures. */
export function dataOf(
  { kind, at, data }: Notified,
  { count, firstAt, topic }: Group & { topic: string | null },
): Record<string, unknown> {
  const time = new Date(at).toISOString();
  return {
    event_type: eventName(kind, topic),
    timestamp: time,
    ...data,
    [timeField[kind]]: time,
    ...(count > 1 ? { count, first_at: new Date(firstAt).toISOString() } : {}),
  };
}

/** The kind of the event, or for example `backup_recovered`. */
export const eventName = (kind: Notified['kind'], topic: string | null): string =>
  topic === null ? kind : `${workOf(topic)}_recovered`;
