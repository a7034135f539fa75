import type { EventView, JobProgressEvent } from '@holdfast/contracts';

/*
 * The format of server-sent events: one field per line, an empty line after each event. JSON contains no line breaks.
 */

/** How soon a disconnected client reconnects. */
export const retryLine = 'retry: 2000\n\n';

export const eventLines = (view: EventView): string => lines(view.id, view.kind, view);

/** The position at which the stream starts. */
export const readyLines = (place: number): string => lines(place, 'ready', { last_event_id: place });

/** The client's last event id is unusable: the stream starts after `place`. */
export const resetLines = (place: number): string =>
  lines(place, 'reset', {
    last_event_id: place,
    reason: 'Events after that id were removed, or the id is unknown. Reload any state that you keep.',
  });

/** Also advances the last event id of clients that receive few events, so that it does not become too old. */
export const heartbeatLines = (place: number): string => `: heartbeat\nid: ${place}\n\n`;

/** Without an id: it leaves the last event id of the client alone. */
export const progressLines = (view: JobProgressEvent): string => unplaced('job_progress', view);

const lines = (place: number, kind: string, data: object): string => `id: ${place}\n${unplaced(kind, data)}`;

const unplaced = (kind: string, data: object): string => `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
