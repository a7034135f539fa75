import assert from 'node:assert/strict';
import { assertRejected, type StorageChecks, user } from './context.js';
import { settings, users } from './tables.js';

export const lifeChecks: StorageChecks = {
  'rows survive a close of the storage, and ids continue': async ({ storage, another, close }) => {
    const anna = await storage.insert(users, user('anna'));
    const value = { name: 'bad\udcffname', size: Number.MAX_SAFE_INTEGER };
    const setting = await storage.insert(settings, { key: 'key', value });
    const gone = await storage.insert(users, user('gone'));
    await storage.remove(users, { id: gone.id });
    await close();
    const later = await another();
    assert.deepEqual(await later.find(users), [anna]);
    assert.deepEqual(await later.find(settings), [setting]);
    assert.ok((await later.insert(users, user('bert'))).id > gone.id);
  },
  'every method rejects with unavailable after the close': async ({ storage, close }) => {
    await storage.insert(users, user('anna'));
    await close();
    await assertRejected('unavailable', storage.find(users));
    await assertRejected('unavailable', storage.insert(users, user('bert')));
    await assertRejected('unavailable', storage.update(users, {}, { last_login: 1 }));
    await assertRejected('unavailable', storage.remove(users, {}));
    await assertRejected('unavailable', storage.aggregate(users, { measures: { rows: { count: true } } }));
    await assertRejected(
      'unavailable',
      storage.transaction(async () => assert.fail('The work of a transaction ran after the close.')),
    );
  },
  'a close waits for the running transaction': async ({ storage, another, close }) => {
    let enter = () => {};
    const entered = new Promise<void>((resolve) => {
      enter = resolve;
    });
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const transaction = storage.transaction(async (session) => {
      enter();
      await left;
      await session.insert(users, user('anna'));
    });
    await entered;
    const closed = close();
    leave();
    await Promise.all([transaction, closed]);
    assert.equal((await (await another()).find(users)).length, 1);
  },
};
