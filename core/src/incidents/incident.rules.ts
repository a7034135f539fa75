import { incidentCause } from '@holdfast/contracts';
import type { Message } from '../kernel/index.js';
import type { NotificationKind } from '../notifications/index.js';

/** To add a cause: its name in the contracts, its messages in `toldAs`, and a rule in `cause.rules.ts`. */
export const causes = incidentCause.options;
export type Cause = (typeof causes)[number];

export type IncidentObjectKind = 'repository' | 'connection' | 'notification_setting' | 'schedule';

export interface ObjectId {
  kind: IncidentObjectKind;
  id: number;
}
export type IncidentObject = ObjectId & { name: string };

/** Something that is wrong now. */
export interface Finding {
  cause: Cause;
  object: IncidentObject;
  /** Settings that monitor one of these are told; when there are none, those that monitor all. */
  repositoryIds: readonly number[];
  /** When it became true, as far as is known. Milliseconds. */
  since: number;
  message: Message;
}

/** Why an incident is over. `tell`: it was solved, not just forgotten, so those who were told of it are told. */
export interface Ending {
  message: Message;
  tell: boolean;
}

interface Told {
  opened: NotificationKind;
  closed: NotificationKind;
}

/** Failed runs are told by `backup_failure` and `schedule_failure`, so their incident is not told again. */
export const toldAs: Record<Cause, Told | null> = {
  late: { opened: 'backup_late', closed: 'backup_on_time_again' },
  damaged: { opened: 'damaged', closed: 'damage_over' },
  does_not_open: { opened: 'incident', closed: 'incident_over' },
  host_key_changed: { opened: 'incident', closed: 'incident_over' },
  delivery_parked: { opened: 'incident', closed: 'incident_over' },
  storage_nearly_full: { opened: 'incident', closed: 'incident_over' },
  schedule_failing: null,
};

export const threadOf = (cause: Cause, { kind, id }: ObjectId): string => `${cause}:${kind}:${id}`;
