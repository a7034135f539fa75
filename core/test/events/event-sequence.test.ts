import { describe, expect, it } from 'vitest';
import { eventsBehind, placeEvents, sequenceNow } from '../../src/foundation/events/event-sequence.js';
import { events } from '../../src/foundation/events/tables.js';
import { memoryStorage } from '../fakes/memory-storage.js';

/** A storage whose ids are given at the insert and whose rows are seen at the commit, as with sequences of a database. */
function world() {
  const storage = memoryStorage();
  let ids = 0;
  const begin = (kind: string) => {
    const row = { id: ++ids, kind, at: 1, data: {} };
    return { commit: () => storage.insert(events, row) };
  };
  const behind = async (place: number) => {
    await placeEvents(storage);
    return (await eventsBehind(storage, place, 100)).map(({ seq, kind }) => [seq, kind]);
  };
  return { storage, begin, behind };
}

describe('the sequence of events', () => {
  it('puts the event that commits last after all that were read', async () => {
    const { storage, begin, behind } = world();
    const slow = begin('slow');
    await begin('quick').commit();
    expect(await behind(0)).toEqual([[1, 'quick']]);
    await slow.commit();
    expect(await behind(1)).toEqual([[2, 'slow']]);
    // Who reads on by the ids would never hear of it.
    expect(await storage.find(events, { where: { id: { gt: 2 } } })).toEqual([]);
  });

  it('is unique with concurrent writers of positions', async () => {
    const { storage, begin } = world();
    for (let n = 0; n < 450; n++) await begin(`e${n}`).commit();
    await Promise.all([1, 2, 3, 4].map(() => placeEvents(storage)));
    const all = await eventsBehind(storage, 0, 1000);
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 450 }, (_, n) => n + 1));
    expect(all.map(({ kind }) => kind)).toEqual(Array.from({ length: 450 }, (_, n) => `e${n}`));
    expect(await sequenceNow(storage)).toMatchObject({ head: 450, removed: 0 });
  });

  it('continues after all events were removed', async () => {
    const { storage, begin, behind } = world();
    await begin('one').commit();
    await behind(0);
    await storage.remove(events, {});
    await begin('two').commit();
    expect(await behind(0)).toEqual([[2, 'two']]);
  });
});
