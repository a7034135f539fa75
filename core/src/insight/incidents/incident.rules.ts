import { incidentCause } from '@holdfast/contracts';
import type { Message } from '../../foundation/kernel/index.js';
import type { NotificationKind } from '../notifications/index.js';

/** To add a cause: its name in the contracts, its messages in `toldAs`, and a rule in `cause.rules.ts`. */
export const causes = incidentCause.options;
export type Cause = (typeof causes)[number];

export type IncidentObjectKind =
  | 'repository'
  | 'connection'
  | 'notification_setting'
  | 'schedule'
  | 'service';

export interface ObjectId {
  kind: IncidentObjectKind;
  id: number;
}
export type IncidentObject = ObjectId & { name: string };

/** Something that is wrong now. */
export interface Finding {
  cause: Cause;
  object: IncidentObject;
  /** Notifies channels that monitor one of these; without any, channels that monitor all. */
  repositoryIds: readonly number[];
  /** When it became true; null when unknown. Milliseconds. */
  since: number | null;
  message: Message;
}

/**
 * Why an incident is over. `tell`: it was resolved, not just dropped, so channels that were notified of it
 * are notified again.
 */
export interface Ending {
  message: Message;
  tell: boolean;
}

interface Told {
  opened: NotificationKind;
  closed: NotificationKind;
  /** This event was recorded when it happened: its messages become those of the incident. */
  toldBefore?: true;
}

const attention: Told = { opened: 'incident', closed: 'incident_over' };

/**
 * `backup_failure` and `schedule_failure` already report failed runs, so their incident is not reported
 * again.
 */
export const toldAs: Record<Cause, Told | null> = {
  late: { opened: 'backup_late', closed: 'backup_on_time_again' },
  damaged: { opened: 'damaged', closed: 'damage_over' },
  cannot_open: attention,
  archives_unsigned: attention,
  host_key_changed: attention,
  delivery_parked: attention,
  storage_full: attention,
  storage_nearly_full: attention,
  schedule_failing: null,
  retention_paused: { opened: 'retention_paused', closed: 'retention_resumed', toldBefore: true },
  drill_failed: attention,
  planned_too_far: attention,
  mass_change: attention,
};

export const threadOf = (cause: Cause, { kind, id }: ObjectId): string => `${cause}:${kind}:${id}`;
