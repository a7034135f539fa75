import type { Clock, Log, StorageSession } from '@holdfast/plugin-api';
import type { EventKind, NewEvent } from './event.rules.js';
import { type EventRow, events } from './tables.js';

/** Events in the storage, and those who follow them. */
export interface EventBus {
  /** Writes the event and its notifications in the given transaction. Followers hear of it after `announce`. */
  record(session: StorageSession, event: NewEvent): Promise<EventRow>;
  /** Hands recorded events to the followers of this process; call it after the commit. Never throws. */
  announce(events: readonly EventRow[]): void;
  /** A follower must not throw; what it throws is logged. Returns the way to stop. */
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
  /** Writes the messages that an event is to be told with, in its transaction. False: nobody wants any. */
  fileMessages?: (session: StorageSession, event: EventRow) => Promise<boolean>;
}

export function makeEventBus({ clock, log, fileMessages }: EventBusParts): EventBus {
  const followings = new Set<Following>();
  const withMessages = new WeakSet<EventRow>();

  const tell = async (follower: Follower, event: EventRow) => {
    try {
      await follower(event, withMessages.has(event));
    } catch (error) {
      log.error('a follower of events failed', { event: event.kind, eventId: event.id, error });
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
          if (kinds.has(event.kind)) void tell(follower, event);
        }
      }
    },

    follow(kinds, follower) {
      const following = { kinds: new Set<string>(kinds), follower };
      followings.add(following);
      return () => followings.delete(following);
    },
  };
}
