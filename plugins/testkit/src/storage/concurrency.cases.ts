import assert from 'node:assert/strict';
import { isStoreError, type StorageBackend } from '@holdfast/plugin-api';
import { job, outcomes, retried, type StorageChecks, user } from './context.js';
import { jobs, settings, users } from './tables.js';

const claims = 50;

/** Takes the job if it is still free. */
const claim = (storage: StorageBackend, id: number, claimant: number) =>
  storage.update(
    jobs,
    { id, fence: 0, status: 'pending' },
    { fence: 1, status: 'running', owner: `${claimant}` },
  );

async function assertOneClaim(storages: StorageBackend[]): Promise<void> {
  const [first] = storages;
  assert.ok(first);
  const { id } = await first.insert(jobs, job());
  const counts = await Promise.all(
    Array.from({ length: claims }, (_, index) =>
      claim(storages[index % storages.length] ?? first, id, index),
    ),
  );
  const winners = [...counts.keys()].filter((index) => counts[index] === 1);
  assert.equal(winners.length, 1, `${winners.length} of ${claims} claims reported that they won.`);
  assert.ok(counts.every((count) => count === 0 || count === 1));
  assert.equal((await first.find(jobs, { where: { id } }))[0]?.owner, `${winners[0]}`);
}

/**
 * A point that several transactions pass together; bounded, because a store that runs them one by one never gets
 * there.
 */
function meeting(expected: number): () => Promise<void> {
  let arrived = 0;
  let meet = () => {};
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  return async () => {
    arrived += 1;
    if (arrived === expected) meet();
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, 100);
    });
    await Promise.race([met, bound]);
    clearTimeout(timer);
  };
}

async function assertOneAdminLeft(storages: [StorageBackend, StorageBackend]): Promise<void> {
  const names = ['anna', 'bert'];
  for (const name of names) await storages[0].insert(users, user(name, { is_admin: true }));
  const meet = meeting(2);
  await outcomes(
    names.map((username, index) =>
      (storages[index] ?? storages[0]).transaction(async (session) => {
        const admins = await session.find(users, { where: { is_admin: true } });
        await meet();
        if (admins.length > 1) await session.update(users, { username }, { is_admin: false });
      }),
    ),
  );
  const left = await storages[0].find(users, { where: { is_admin: true } });
  assert.equal(
    left.length,
    1,
    'Each of two transactions relied on the other to keep the last administrator.',
  );
}

export const concurrencyChecks: StorageChecks = {
  'exactly one of 50 concurrent claims gets the count 1': async ({ storage }) => {
    for (let round = 0; round < 3; round++) await assertOneClaim([storage]);
  },
  'exactly one of 50 concurrent claims by three storages gets the count 1': async ({ storage, another }) => {
    const storages = [storage, await another(), await another()];
    for (let round = 0; round < 3; round++) await assertOneClaim(storages);
  },
  'exactly one of 20 inserts with the same unique key succeeds': async ({ storage, another }) => {
    const storages = [storage, await another()] as const;
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => storages[index % 2 === 0 ? 0 : 1].insert(users, user('anna'))),
    );
    const rejected = results.filter((result) => result.status === 'rejected');
    assert.ok(rejected.every(({ reason }) => isStoreError(reason, 'unique')));
    assert.equal(rejected.length, 19);
    assert.equal((await storage.find(users)).length, 1);
  },
  'two transactions cannot cause write skew': ({ storage }) => assertOneAdminLeft([storage, storage]),
  'transactions of two storages cannot cause write skew': async ({ storage, another }) =>
    assertOneAdminLeft([storage, await another()]),
  'only one of two transactions inserts a row that both found missing': async ({ storage, another }) => {
    const storages = [storage, await another()] as const;
    const meet = meeting(2);
    await outcomes(
      storages.map((each, index) =>
        each.transaction(async (session) => {
          const [{ rows = 0 } = {}] = await session.aggregate(users, {
            where: { is_admin: true },
            measures: { rows: { count: true } },
          });
          await meet();
          if (rows === 0) await session.insert(users, user(`admin ${index}`, { is_admin: true }));
        }),
      ),
    );
    assert.equal((await storage.find(users)).length, 1);
  },
  'no increment is lost when conflicts are retried': async ({ storage, another }) => {
    const storages = [storage, await another()] as const;
    await storage.insert(settings, { key: 'counter', value: 0 });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        retried(storages[index % 2 === 0 ? 0 : 1], async (session) => {
          const [row] = await session.find(settings, { where: { key: 'counter' } });
          await session.update(settings, { key: 'counter' }, { value: (row?.value as number) + 1 });
        }),
      ),
    );
    assert.equal((await storage.find(settings))[0]?.value, 20);
  },
  'each of two storages sees what the other committed': async ({ storage, another }) => {
    const other = await another();
    const { id } = await storage.insert(users, user('anna'));
    assert.equal((await other.find(users)).length, 1);
    assert.equal(await other.update(users, { id }, { last_login: 9 }), 1);
    assert.equal((await storage.find(users))[0]?.last_login, 9);
    await storage.transaction((session) => session.remove(users, { id }));
    assert.deepEqual(await other.find(users), []);
  },
};
