import { expect, test } from 'vitest';
import { followArchiveChanges } from '../../../src/backup/archives/listing/follow-archive-changes.js';
import type { EventKind } from '../../../src/foundation/events/event.rules.js';
import type { EventBus } from '../../../src/foundation/events/event-bus.js';
import { silentLog } from '../../fakes/silent-log.js';
import { mapCache } from './listing-world.js';

const all = [
  'archive:1:a',
  'archive:1:a/0',
  'archive:1:a:b',
  'archive:1:ab',
  'archive:1:ab/0',
  'archive:11:a',
  'other',
];

async function after(kind: EventKind, data: Record<string, unknown> = {}): Promise<string[]> {
  const cache = mapCache();
  for (const key of all) cache.values.set(key, Buffer.from('x'));
  let told: Parameters<EventBus['follow']>[1] | undefined;
  const follow: EventBus['follow'] = (kinds, follower) => {
    if (kinds.includes(kind)) told = follower;
    return () => {};
  };
  const storage = { update: async () => 1 };
  followArchiveChanges({ events: { follow }, cache, storage, log: silentLog() });
  await told?.({ id: 1, kind, at: 0, repository_id: 1, job_id: null, data, seq: null }, false);
  return [...cache.values.keys()];
}

test('drops only the listing of a removed archive', async () => {
  expect(await after('archives_changed', { added: [], removed: ['a'] })).toEqual(all.slice(2));
});

test('keeps the listings of other archives when one is added', async () => {
  expect(await after('archives_changed', { added: ['c'] })).toEqual(all);
});

test.each<EventKind>(['repository_updated', 'repository_deleted'])(
  'drops all listings of that repository after %s',
  async (kind) => {
    expect(await after(kind)).toEqual(['archive:11:a', 'other']);
  },
);
