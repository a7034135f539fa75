import type { EventView } from '@holdfast/contracts';

/**
 * Kinds of events. `flagOf` in the notifications room says which lead to messages; the others serve caches, inventory,
 * metrics and user interfaces.
 * An event is written in the transaction of the change that it reports, and passed on after the commit.
 */
export type EventKind = EventView['kind'];

export interface NewEvent {
  kind: EventKind;
  repositoryId: number | null;
  jobId: number | null;
  data: Record<string, unknown>;
}
