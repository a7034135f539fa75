import assert from 'node:assert/strict';
import { offered } from '../case.js';
import { type StorageChecks, user } from './context.js';
import { users } from './tables.js';

export const markChecks: StorageChecks = {
  'a mark differs after every commit, even of another instance': async ({ storage, another }) => {
    offered(storage.mark, 'mark');
    const other = await another();
    let last = await storage.mark?.();
    const assertDiffers = async (what: string) => {
      const mark = await storage.mark?.();
      assert.notEqual(mark, last, `The mark is the same after ${what}.`);
      last = mark;
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
