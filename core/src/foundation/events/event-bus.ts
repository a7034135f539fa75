import type { Clock, Log, StorageSession } from '@holdfast/plugin-api';
import type { EventKind, NewEvent } from './event.rules.js';
import { type EventRow, events } from './tables.js';

/** Stores events and passes them to followers. */
export interface EventBus {
  /** Writes the event and its messages in the given transaction. Followers get it after `announce`. */
  record(session: StorageSession, event: NewEvent): Promise<EventRow>;
  /** Passes recorded events to the followers of this process. Call it after the commit. Never throws. */
  announce(events: readonly EventRow[]): void;
  /** For events that nobody in this process follows: lets only its streams look for them. Call it after the commit. */
  nudge(): void;
  /** Calls `look` at each announcement and nudge. Returns a function that stops this. */
  watch(look: () => void): () => void;
  /** Errors of a follower are logged. Returns a function that stops following. */
  follow(kinds: readonly EventKind[], follower: Follower): () => void;
}

type Follower = (event: EventRow, mayHaveMessages: boolean) => void | Promise<void>;
interface Following {
  kinds: ReadonlySet<string>;
  follower: Follower;
}

interface EventBusParts {
  clock: Clock;
  log: Log;
  /** Writes the messages for an event in its transaction. False: there are no recipients. */
  fileMessages?: (session: StorageSession, event: EventRow) => Promise<boolean>;
}

export function makeEventBus({ clock, log, fileMessages }: EventBusParts): EventBus {
  const followings = new Set<Following>();
  const watchers = new Set<() => void>();
  const nudge = () => {
    for (const look of [...watchers]) look();
  };
  const withMessages = new WeakSet<EventRow>();

  const notify = async (follower: Follower, event: EventRow) => {
    try {
      await follower(event, withMessages.has(event));
    } catch (error) {
      log.error('an event follower failed', { event: event.kind, eventId: event.id, error });
    }
  };

  return {
    async record(session, { kind, repositoryId, jobId, data }) {
      const about = { repository_id: repositoryId, job_id: jobId };
      const event = await session.insert(events, { kind, at: clock.now(), ...about, data });
      if (await fileMessages?.(session, event)) withMessages.add(event);
      return event;
    },

    announce(recorded) {
      for (const event of recorded) {
        for (const { kinds, follower } of [...followings]) {
          if (kinds.has(event.kind)) void notify(follower, event);
        }
      }
      if (recorded.length > 0) nudge();
    },

    nudge,

    watch(look) {
      watchers.add(look);
      return () => watchers.delete(look);
    },

    follow(kinds, follower) {
      const following = { kinds: new Set<string>(kinds), follower };
      followings.add(following);
      return () => followings.delete(following);
    },
  };
}
