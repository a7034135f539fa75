import type { StorageSession } from '@holdfast/plugin-api';
import { say } from '@holdfast/plugin-api';
import { describe, expect, it } from 'vitest';
import { preconditionScope } from '../../src/app/requests/precondition-scope.js';
import { lanes } from '../../src/engine/jobs/tables.js';
import { AppError } from '../../src/foundation/kernel/errors.js';
import { settings } from '../../src/foundation/kernel/tables.js';
import { scopedStorage } from '../../src/foundation/kernel/transactions.js';
import { memoryStorage } from '../fakes/memory-storage.js';

async function world() {
  const storage = memoryStorage();
  await storage.insert(settings, { key: 'a', value: 0 });
  const checks: unknown[] = [];
  const storedValue = async (session: StorageSession) => (await session.find(settings))[0]?.value;
  const scopeFor = (expected: unknown) =>
    preconditionScope({
      entity: settings,
      check: async (session) => {
        checks.push(await storedValue(session));
        if ((await storedValue(session)) !== expected)
          throw new AppError('precondition_failed', say`x: changed`);
      },
    });
  const under = (expected: unknown) => {
    const scope = scopeFor(expected);
    return scopedStorage(storage, () => scope);
  };
  return { storage, checks, under, storedValue };
}

describe('a precondition', () => {
  it('accepts one of many changes to the same version', async () => {
    const { storage, under, storedValue } = await world();
    const change = (n: number) => under(0).update(settings, { key: 'a' }, { value: n });
    const ends = await Promise.allSettled([1, 2, 3, 4, 5].map(change));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await storedValue(storage)).toBe(1);
  });

  it('is checked in the transaction before the first write, and rolls it back', async () => {
    const { storage, under } = await world();
    const work = under(7).transaction(async (session) => {
      await session.find(settings);
      await session.insert(lanes, { repository_id: 1, holders: [] });
      await session.update(settings, {}, { value: 9 });
    });
    await expect(work).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await storage.find(lanes)).toEqual([]);
    expect((await storage.find(settings))[0]?.value).toBe(0);
  });

  it('is checked neither for reads nor again after the write', async () => {
    const { checks, under } = await world();
    const scoped = under(0);
    await scoped.find(settings);
    await scoped.transaction((session) => session.find(settings));
    expect(checks).toEqual([]);
    await scoped.insert(lanes, { repository_id: 1, holders: [] });
    await scoped.update(settings, {}, { value: 1 });
    await scoped.update(settings, {}, { value: 2 });
    expect(checks).toEqual([0, 0]);
  });

  it('sees each change before others do, and ignores unrelated ones', async () => {
    const { storage, storedValue } = await world();
    const seen: unknown[] = [];
    const see = async (session: StorageSession) => {
      seen.push(await storedValue(session), await storedValue(storage));
    };
    const scope = preconditionScope({ entity: settings, see });
    const scoped = scopedStorage(storage, () => scope);
    await scoped.insert(lanes, { repository_id: 1, holders: [] });
    await scoped.update(settings, {}, { value: 1 });
    await scoped.update(settings, {}, { value: 2 });
    expect(seen.filter((_, index) => index % 2 === 0)).toEqual([1, 2]);
  });
});
