import type { Schemas } from '../../../api/client.js';

export type SelfBackupView = Schemas['SelfBackupView'];

/** The location chosen before the first activation. */
export interface Choice {
  connection: number | null;
  /** Empty: the suggestion of the service, only on this server. */
  place: string;
}

/** A folder on this server, or on a host, where it may be relative to the home directory. */
export const isPlace = ({ connection, place }: Choice): boolean =>
  place.startsWith('/') || (connection === null ? place === '' : /^\.\/./.test(place));

/** The request body to turn it on; later, the location is already known. */
export const switchedOn = ({ repository_id }: SelfBackupView, { connection, place }: Choice) =>
  repository_id === null
    ? { enabled: true, ...(place !== '' && { path: place }), connection_id: connection }
    : { enabled: true };

const hourMs = 3_600_000;
/** One daily copy may fail before it is late. */
const freshHours = 50;

export type SelfBackupState = 'off' | 'waiting' | 'failing' | 'old' | 'well';

/** The most important fact, shown first. */
export function stateOf(view: SelfBackupView, now: number): SelfBackupState {
  if (!view.enabled) return 'off';
  if (view.last_error !== null) return 'failing';
  if (view.last_backup_at === null) return 'waiting';
  return now - Date.parse(view.last_backup_at) > freshHours * hourMs ? 'old' : 'well';
}
