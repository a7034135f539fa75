import assert from 'node:assert/strict';
import type { StorageBackend, StorageSession } from '@holdfast/plugin-api';
import { assertRejected, retried, type StorageChecks, user } from './context.js';
import { events, users } from './tables.js';

const event = { kind: 'test', at: 1, data: {} };

async function assertUsers(session: StorageSession, ...expected: string[]): Promise<void> {
  const rows = await session.find(users, { order: [['username', 'asc']] });
  assert.deepEqual(
    rows.map(({ username }) => username),
    expected,
  );
}

/** Runs `work` in a transaction that must reject. */
async function failed(
  storage: StorageBackend,
  work: (session: StorageSession) => Promise<unknown>,
): Promise<unknown> {
  return storage.transaction(work).then(
    () => assert.fail('The transaction resolved instead of rejecting.'),
    (reason: unknown) => reason,
  );
}

export const transactionChecks: StorageChecks = {
  'a transaction resolves to what its work does, and keeps all changes': async ({ storage }) => {
    await storage.insert(users, user('anna'));
    const result = await storage.transaction(async (session) => {
      await session.insert(users, user('bert'));
      await session.insert(events, event);
      assert.equal(await session.remove(users, { username: 'anna' }), 1);
      return 'done';
    });
    assert.equal(result, 'done');
    await assertUsers(storage, 'bert');
    assert.equal((await storage.find(events)).length, 1);
  },
  'a transaction whose work throws changes nothing, and rejects with that error': async ({ storage }) => {
    const anna = await storage.insert(users, user('anna'));
    const reason = new Error('of the work');
    const error = await failed(storage, async (session) => {
      await session.insert(users, user('bert'));
      await session.update(users, {}, { is_admin: true });
      await session.insert(events, event);
      await session.remove(users, { username: 'anna' });
      throw reason;
    });
    assert.equal(error, reason);
    assert.deepEqual(await storage.find(users), [anna]);
    assert.deepEqual(await storage.find(events), []);
  },
  'reads in a transaction see its own writes': async ({ storage }) => {
    await storage.transaction(async (session) => {
      const { id } = await session.insert(users, user('anna'));
      await session.update(users, { id }, { last_login: 3 });
      assert.equal((await session.find(users, { where: { id } }))[0]?.last_login, 3);
      const measures = { rows: { count: true }, last: { max: 'last_login' } } as const;
      assert.deepEqual(await session.aggregate(users, { measures }), [{ rows: 1, last: 3 }]);
      await session.remove(users, { id });
      await assertUsers(session);
    });
  },
  'others do not see a transaction before its end': async ({ storage, another }) => {
    const other = await another();
    await storage.transaction(async (session) => {
      await session.insert(users, user('anna'));
      await assertUsers(other);
    });
    await assertUsers(other, 'anna');
  },
  'a rejected statement aborts the transaction, even if the work catches the error': async ({ storage }) => {
    await storage.insert(users, user('anna'));
    const passedOver = storage.transaction(async (session) => {
      await session.insert(users, user('bert'));
      await session.insert(users, user('anna')).catch(() => undefined);
    });
    await assertRejected('unique', passedOver);
    await assertRejected(
      'unique',
      storage.transaction(async (session) => {
        await session.insert(users, user('carl'));
        await session.insert(users, user('anna'));
      }),
    );
    await assertUsers(storage, 'anna');
  },
  'a session is rejected after its transaction': async ({ storage }) => {
    let leaked: StorageSession | undefined;
    await storage.transaction(async (session) => {
      leaked = session;
    });
    await failed(storage, async (session) => {
      await assertUsers(session);
      throw new Error('of the work');
    });
    assert.ok(leaked);
    await assertRejected('invalid', leaked.find(users));
    await assertRejected('invalid', leaked.insert(users, user('anna')));
    await assertUsers(storage);
  },
  'the storage keeps working during and after a failed transaction': async ({ storage }) => {
    const attempts = Array.from({ length: 20 }, (_, index) =>
      retried(storage, async (session) => {
        await session.insert(users, user(`user ${String(index).padStart(2, '0')}`));
        if (index % 2 === 0) throw new Error('of the work');
      }).catch(() => undefined),
    );
    attempts.push(storage.insert(users, user('single')).then(() => undefined));
    await Promise.all(attempts);
    const rows = await storage.find(users);
    assert.equal(rows.length, 11);
    assert.ok(rows.every(({ username }) => username === 'single' || Number(username.slice(5)) % 2 === 1));
  },
};
