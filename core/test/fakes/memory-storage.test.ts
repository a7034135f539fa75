import { StoreError } from '@holdfast/plugin-api';
import { describe, expect, it } from 'vitest';
import { lanes } from '../../src/engine/jobs/tables.js';
import { settings } from '../../src/foundation/kernel/tables.js';
import { memoryStorage } from './memory-storage.js';

/** Unit tests lean on it, so it must keep what the port promises. */
describe('the storage of unit tests', () => {
  it('undoes a failed transaction', async () => {
    const storage = memoryStorage();
    await storage.insert(settings, { key: 'a', value: 1 });
    const work = storage.transaction(async (session) => {
      await session.update(settings, { key: 'a' }, { value: 2 });
      await session.insert(settings, { key: 'b', value: 3 });
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await storage.find(settings)).toEqual([{ id: 1, key: 'a', value: 1 }]);
  });

  it('runs transactions one after the other', async () => {
    const storage = memoryStorage();
    const { id } = await storage.insert(lanes, { repository_id: 1, holders: [] });
    const raise = () =>
      storage.transaction(async (session) => {
        const [lane] = await session.find(lanes, { where: { id } });
        await new Promise((resolve) => setImmediate(resolve));
        await session.update(lanes, { id }, { version: (lane?.version ?? 0) + 1 });
      });
    await Promise.all(Array.from({ length: 20 }, raise));
    expect((await storage.find(lanes))[0]?.version).toBe(20);
  });

  it('counts the rows that a compare-and-set matched', async () => {
    const storage = memoryStorage();
    await storage.insert(lanes, { repository_id: 1, holders: [] });
    const set = () => storage.update(lanes, { repository_id: 1, version: 0 }, { version: 1 });
    expect(await Promise.all([set(), set(), set()])).toEqual([1, 0, 0]);
  });

  it('refuses taken keys, unknown columns and wrong types', async () => {
    const storage = memoryStorage();
    await storage.insert(settings, { key: 'a', value: 1 });
    await expect(storage.insert(settings, { key: 'a', value: 2 })).rejects.toMatchObject({
      kind: 'unique',
      key: 'key',
    });
    await expect(storage.insert(settings, { kee: 'a' } as never)).rejects.toBeInstanceOf(StoreError);
    await expect(storage.update(lanes, {}, { version: '1' as never })).rejects.toMatchObject({
      kind: 'invalid',
    });
  });

  it('hands out copies', async () => {
    const storage = memoryStorage();
    await storage.insert(settings, { key: 'a', value: { list: [1] } });
    for (const row of await storage.find(settings)) (row.value as { list: number[] }).list.push(2);
    expect((await storage.find(settings))[0]?.value).toEqual({ list: [1] });
  });
});
