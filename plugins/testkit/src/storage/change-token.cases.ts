import assert from 'node:assert/strict';
import { offered } from '../case.js';
import { type StorageChecks, user } from './context.js';
import { users } from './tables.js';

export const changeTokenChecks: StorageChecks = {
  'a change token differs after every commit, even of another instance': async ({ storage, another }) => {
    offered(storage.changeToken, 'changeToken');
    const other = await another();
    let last = await storage.changeToken?.();
    const assertDiffers = async (what: string) => {
      const changeToken = await storage.changeToken?.();
      assert.notEqual(changeToken, last, `The token is the same after ${what}.`);
      last = changeToken;
    };
    for (const [whose, changing] of [
      ['its own', storage],
      ["another instance's", other],
    ] as const) {
      const { id } = await changing.insert(users, user(`${whose} user`));
      await assertDiffers(`${whose} insert`);
      await changing.update(users, { id }, { is_active: false });
      await assertDiffers(`${whose} update`);
      await changing.transaction((session) => session.update(users, { id }, { is_active: true }));
      await assertDiffers(`${whose} transaction`);
      await changing.remove(users, { id });
      await assertDiffers(`${whose} remove`);
    }
  },
};
