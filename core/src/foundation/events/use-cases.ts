import type { EventView } from '@holdfast/contracts';
import { isoTime } from '../kernel/index.js';
import { makeEventFeed } from './event-feed.js';
import type { PlacedEvent } from './event-sequence.js';
import type { EventsNeeds } from './needs.js';

export interface EventFilter {
  kinds?: readonly string[] | undefined;
  repositoryId?: number | undefined;
}

export const eventsUseCases = ({ storage, log, events }: EventsNeeds) => ({
  feed: makeEventFeed({ storage, log, follow: events.watch }),
  matches,
  view,
});

/** An event about several repositories lists them in its data. */
function matches({ kinds, repositoryId }: EventFilter, { kind, repository_id, data }: PlacedEvent): boolean {
  if (kinds && !kinds.includes(kind)) return false;
  if (repositoryId === undefined || repository_id === repositoryId) return true;
  return Array.isArray(data.repository_ids) && data.repository_ids.includes(repositoryId);
}

/** The same at every instance: it depends only on what is stored. */
const view = ({ seq, kind, at, repository_id, job_id, data }: PlacedEvent): EventView => ({
  id: seq,
  kind: kind as EventView['kind'],
  at: isoTime(at),
  repository_id,
  job_id,
  data,
});
