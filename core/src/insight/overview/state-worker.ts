import type { Overview } from '@holdfast/contracts';
import type { Log, PublishedStates, StatePublisher } from '@holdfast/plugin-api';
import { events } from '../../foundation/events/index.js';
import { type Pace, paces, withinTime } from '../../foundation/kernel/index.js';
import { type WatchWorker, watchWorker } from '../incidents/watch-worker.js';
import type { OverviewNeeds } from './needs.js';
import { getOverview } from './overview.js';

const publishWithinMs = 10_000;

/** Publishes the states when they have changed. Each instance does: they publish the same. */
export function makeStateWorker(
  needs: OverviewNeeds & { log: Pick<Log, 'warn'> },
  publisher: StatePublisher,
  { lookEvery, readEvery }: Pace['states'] = paces.usual.states,
): WatchWorker {
  const { storage, clock, log } = needs;
  const read = getOverview(needs);
  let seen: number | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let published = '';
  const look = async () => {
    const now = clock.now();
    const [last] = await storage.find(events, { order: [['id', 'desc']], limit: 1 });
    if (last?.id === seen && Math.abs(now - readAt) < readEvery) return;
    const states = statesOf(await read({ timezone: 'UTC' }));
    const text = JSON.stringify(states);
    const late = () => new Error('the state plugin did not respond in time');
    if (text !== published) await withinTime(publishWithinMs, () => publisher.publish(states), late);
    published = text;
    readAt = now;
    seen = last?.id;
  };
  return watchWorker(look, {
    everyMs: lookEvery,
    log,
    failure: 'could not publish the states; retrying',
  });
}

const statesOf = ({ headline: { state, text }, repositories }: Overview): PublishedStates => ({
  protected: state === 'protected',
  state,
  text,
  repositories: repositories.map(({ id, name, status, damaged, ...times }) => ({
    id,
    name,
    protected: status === 'protected',
    late: status === 'late',
    damaged,
    newestArchive: times.newest_archive,
    lastVerifiedRestore: times.last_verified_restore,
  })),
});
