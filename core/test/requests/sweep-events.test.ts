import { expect, it } from 'vitest';
import { placeEvents, sequenceNow } from '../../src/foundation/events/event-sequence.js';
import { eventRetentionMs, sweepEvents } from '../../src/foundation/events/sweep-events.js';
import { events } from '../../src/foundation/events/tables.js';
import { eventsWithMessages } from '../../src/insight/notifications/deliveries.js';
import { deliveries } from '../../src/insight/notifications/tables.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';

it('removes old events without a message and returns the last position', async () => {
  const storage = memoryStorage();
  const clock = manualClock();
  const add = (kind: string) => storage.insert(events, { kind, at: clock.now(), data: {} });
  const told = await add('told');
  for (let n = 0; n < 300; n++) await add('old');
  await storage.insert(deliveries, {
    message_id: 'm',
    setting_id: 1,
    event_id: told.id,
    first_at: 1,
    status: 'pending',
    next_attempt_at: 1,
    queued_at: 1,
    created_at: 1,
  });
  await placeEvents(storage);
  await add('old without a place');
  clock.advance(eventRetentionMs + 1);
  await add('new');
  await sweepEvents({ storage, clock }, eventsWithMessages)();
  expect((await storage.find(events)).map(({ kind }) => kind)).toEqual(['told', 'new']);
  expect(await sequenceNow(storage)).toMatchObject({ head: 303, removed: 302 });
  await sweepEvents({ storage, clock }, eventsWithMessages)();
  expect(await sequenceNow(storage)).toMatchObject({ head: 303, removed: 302 });
});
