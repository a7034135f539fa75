/** Events: recorded in the transaction of the change, ordered, and streamed. */

export type { EventKind, NewEvent } from './event.rules.js';
export { type EventBus, makeEventBus } from './event-bus.js';
export { type EventFeed, makeEventFeed } from './event-feed.js';
export { eventsBehind, type PlacedEvent, placeEvents } from './event-sequence.js';
export { sweepEvents } from './sweep-events.js';
export * from './tables.js';
export { type EventFilter, eventsUseCases } from './use-cases.js';
