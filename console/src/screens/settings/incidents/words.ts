import type { Schemas } from '../../../api/client.js';
import { t } from '../../../i18n/messages.js';
import type { StateName } from '../../../ui/state.js';

type Incident = Pick<Schemas['IncidentView'], 'cause' | 'open' | 'snoozed_until' | 'object'>;

const severe = new Set(['damaged', 'cannot_open', 'host_key_changed', 'storage_full']);

/** Causes that a later release adds are shown as they are. */
export const causeOf = ({ cause }: Incident): string =>
  t.incidents.causes[cause as keyof typeof t.incidents.causes] ?? cause;

export function stateOf({ open, cause, snoozed_until }: Incident): { state: StateName; word: string } {
  if (!open) return { state: 'protected', word: t.incidents.states.over };
  const state = severe.has(cause) ? 'damaged' : 'late';
  return { state, word: snoozed_until ? t.incidents.states.snoozed : t.incidents.states.open };
}

export const addressOf = ({ object: { kind, id } }: Incident): string | null =>
  ({
    repository: `/repositories/${id}`,
    connection: `/settings/hosts/${id}`,
    notification_setting: `/settings/notifications/${id}`,
    schedule: `/schedules/${id}`,
  })[kind] ?? null;
