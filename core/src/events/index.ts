/** Events: recorded in the transaction of the change, ordered, and streamed. */

export type { EventKind, NewEvent } from './event.rules.js';
export { type EventBus, makeEventBus } from './event-bus.js';
export { type EventFeed, makeEventFeed } from './event-feed.js';
export { eventsBehind, type PlacedEvent, placeEvents, sequenceNow } from './event-sequence.js';
export type { EventsNeeds } from './needs.js';
export { type EventFilter, eventsUseCases } from './use-cases.js';
