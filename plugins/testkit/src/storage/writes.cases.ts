import assert from 'node:assert/strict';
import type { StorageBackend, StoreError } from '@holdfast/plugin-api';
import { archive, assertRejected, type StorageChecks, user } from './context.js';
import { archives, users } from './tables.js';

const names = async (storage: StorageBackend) => (await storage.find(users)).map(({ username }) => username);

export const writeChecks: StorageChecks = {
  'ids ascend and are never reused': async ({ storage }) => {
    const first = await storage.insert(users, user('one'));
    const second = await storage.insert(users, user('two'));
    await storage.remove(users, { id: second.id });
    const third = await storage.insert(users, user('three'));
    assert.ok(first.id < second.id && second.id < third.id, `Ids ${first.id}, ${second.id}, ${third.id}`);
  },
  'insert rejects a duplicate unique key, names it and writes nothing': async ({ storage }) => {
    await storage.insert(users, user('anna'));
    const error = await assertRejected('unique', storage.insert(users, user('anna', { is_admin: true })));
    assert.equal((error as StoreError).key, 'username');
    assert.equal((await storage.find(users, { where: { is_admin: true } })).length, 0);
    assert.deepEqual(await names(storage), ['anna']);
  },
  'a unique key of several columns is a duplicate only as a whole': async ({ storage }) => {
    await storage.insert(archives, archive('daily'));
    await storage.insert(archives, archive('daily', { repository_id: 2 }));
    await storage.insert(archives, archive('weekly'));
    const error = await assertRejected('unique', storage.insert(archives, archive('daily')));
    assert.equal((error as StoreError).key, 'repository_id,name');
  },
  'nulls of a unique key never collide': async ({ storage }) => {
    await storage.insert(users, user('anna'));
    await storage.insert(users, user('bert'));
    await storage.insert(users, user('carl', { email: 'carl@localhost' }));
    const error = await assertRejected(
      'unique',
      storage.insert(users, user('cora', { email: 'carl@localhost' })),
    );
    assert.equal((error as StoreError).key, 'email');
    assert.equal(await storage.update(users, { username: 'carl' }, { email: null }), 1);
  },
  'update rejects a duplicate unique key and changes no row': async ({ storage }) => {
    await storage.insert(users, user('anna'));
    await storage.insert(users, user('bert'));
    await assertRejected(
      'unique',
      storage.update(users, { username: 'bert' }, { username: 'anna', is_admin: true }),
    );
    await assertRejected('unique', storage.update(users, {}, { username: 'carl' }));
    assert.deepEqual(await names(storage), ['anna', 'bert']);
    assert.equal((await storage.find(users, { where: { is_admin: true } })).length, 0);
  },
  'update counts the rows it matched, even if nothing changes': async ({ storage }) => {
    for (const name of ['anna', 'bert', 'carl']) await storage.insert(users, user(name));
    assert.equal(await storage.update(users, { username: 'anna' }, { is_admin: true }), 1);
    assert.equal(
      await storage.update(users, { username: 'anna' }, { is_admin: true }),
      1,
      'the same value again',
    );
    assert.equal(await storage.update(users, {}, { is_active: true }), 3, 'the value that all rows have');
    assert.equal(await storage.update(users, { is_admin: false }, {}), 2, 'an empty patch');
    assert.equal(await storage.update(users, { username: 'nobody' }, { is_admin: true }), 0);
  },
  'update changes only the given columns of matched rows': async ({ storage }) => {
    const anna = await storage.insert(users, user('anna', { email: 'anna@localhost' }));
    const bert = await storage.insert(users, user('bert'));
    await storage.update(users, { id: anna.id }, { last_login: 7, email: null, is_admin: undefined });
    assert.deepEqual(await storage.find(users), [{ ...anna, last_login: 7, email: null }, bert]);
  },
  'remove deletes only the matched rows and counts them': async ({ storage }) => {
    for (const name of ['anna', 'bert', 'carl']) await storage.insert(users, user(name));
    assert.equal(await storage.remove(users, { username: { in: ['anna', 'carl', 'nobody'] } }), 2);
    assert.deepEqual(await names(storage), ['bert']);
    assert.equal(await storage.remove(users, { username: 'anna' }), 0);
    assert.equal(await storage.remove(users, {}), 1);
  },
  'an invalid row is rejected, and nothing is written': async ({ storage }) => {
    const wrong: object[] = [
      { ...user('anna'), nonsense: 1 },
      { ...user('anna'), id: 7 },
      { username: 'anna' },
      { ...user('anna'), password_hash: null },
      { ...user('anna'), username: 5 },
      { ...user('anna'), is_admin: 1 },
      { ...user('anna'), created_at: '5' },
      { ...user('anna'), created_at: 0.5 },
      { ...user('anna'), last_login: 2 ** 53 },
      { ...user('anna'), last_login: Number.NaN },
    ];
    for (const row of wrong)
      await assertRejected('invalid', storage.insert(users, row as ReturnType<typeof user>));
    assert.deepEqual(await storage.find(users), []);
  },
  'an invalid patch is rejected': async ({ storage }) => {
    const anna = await storage.insert(users, user('anna'));
    for (const patch of [{ nonsense: 1 }, { id: 9 }, { username: null }, { is_admin: 'yes' }]) {
      await assertRejected('invalid', storage.update(users, {}, patch as object));
    }
    assert.deepEqual(await storage.find(users), [anna]);
  },
};
