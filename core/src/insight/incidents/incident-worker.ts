import { events } from '../../foundation/events/index.js';
import { type Pace, paces } from '../../foundation/kernel/index.js';
import { endDuty, takeDuty } from './duty.js';
import { evaluator } from './evaluate.js';
import type { IncidentsNeeds } from './needs.js';
import { type WatchWorker, watchWorker } from './watch-worker.js';

const duty = 'incidents';

/**
 * Watches for incidents: when an event was recorded, when the clock makes a repository late, and every minute. Of any
 * number of instances, one does it at a time.
 */
export function makeIncidentWorker(
  needs: IncidentsNeeds,
  { lookEvery, firstAfter, atLeastEvery, hold }: Pace['incidents'] = paces.usual.incidents,
): WatchWorker {
  const { storage, clock, log } = needs;
  let startedAt = clock.now();
  let evaluate = evaluator(needs, startedAt);

  const look = async () => {
    const now = clock.now();
    if (now - startedAt < firstAfter) return;
    const [last] = await storage.find(events, { order: [['id', 'desc']], limit: 1 });
    const place = last?.id ?? 0;
    const row = await takeDuty(storage, {
      name: duty,
      now,
      holdMs: hold,
      // A date further ahead than any round could set comes from a clock that was ahead.
      isDue: (seen) => seen.place < place || seen.due_at <= now || seen.due_at > now + atLeastEvery,
    });
    if (!row) return;
    const due_at = Math.min(await evaluate(), now + atLeastEvery);
    await endDuty(storage, row, { due_at, place });
  };
  return watchWorker(look, {
    everyMs: lookEvery,
    log,
    failure: 'could not check for incidents; retrying',
    begin() {
      startedAt = clock.now();
      evaluate = evaluator(needs, startedAt);
    },
  });
}
