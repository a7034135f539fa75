import type { Schemas } from '../../../api/client.js';

export type OwnBackupView = Schemas['OwnBackupView'];

/** What the person chose before it is switched on for the first time. */
export interface Choice {
  connection: number | null;
  /** Empty: what the service suggests, on this machine only. */
  place: string;
}

/** A folder on this machine, or one on another that may begin at the home directory there. */
export const isPlace = ({ connection, place }: Choice): boolean =>
  place.startsWith('/') || (connection === null ? place === '' : /^\.\/./.test(place));

/** The body that switches it on; the second time, the place is known. */
export const switchedOn = ({ repository_id }: OwnBackupView, { connection, place }: Choice) =>
  repository_id === null
    ? { enabled: true, ...(place !== '' && { path: place }), connection_id: connection }
    : { enabled: true };

const hourMs = 3_600_000;
/** One daily copy may fail before it is late. */
const freshHours = 50;

export type OwnBackupState = 'off' | 'waiting' | 'failing' | 'old' | 'well';

/** What is said first. */
export function stateOf(view: OwnBackupView, now: number): OwnBackupState {
  if (!view.enabled) return 'off';
  if (view.last_error !== null) return 'failing';
  if (view.last_backup_at === null) return 'waiting';
  return now - Date.parse(view.last_backup_at) > freshHours * hourMs ? 'old' : 'well';
}
