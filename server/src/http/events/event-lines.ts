import type { EventView } from '@holdfast/contracts';

/*
 * The format of server-sent events: fields in lines, an empty line after each event. JSON holds no line break.
 */

/** How soon a client that lost its connection comes again. */
export const retryLine = 'retry: 2000\n\n';

export const eventLines = (view: EventView): string => lines(view.id, view.kind, view);

/** Where the stream begins. */
export const readyLines = (place: number): string => lines(place, 'ready', { last_event_id: place });

/** The id that the client brought is of no use: it begins anew behind `place`. */
export const resetLines = (place: number): string =>
  lines(place, 'reset', {
    last_event_id: place,
    reason: 'Events behind that id are gone, or it is none of this service: look anew at what you keep.',
  });

/** Also moves a client on that hears of few events: its id must not grow too old. */
export const heartbeatLines = (place: number): string => `: heartbeat\nid: ${place}\n\n`;

const lines = (place: number, kind: string, data: object): string =>
  `id: ${place}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
