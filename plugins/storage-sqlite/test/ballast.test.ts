import { stat } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { Ballast } from '../src/ballast.js';
import { sqliteDialect } from '../src/sqlite-dialect.js';
import { temporaryFolder } from './temporary-folder.js';

const inFolder = temporaryFolder();

it('takes up room next to the database until it is released', async () => {
  const database = inFolder('holdfast.sqlite');
  const ballast = new Ballast(database);
  const size = () =>
    stat(`${database}-reserve`).then(
      (found) => found.size,
      () => 0,
    );
  await ballast.fill();
  expect(await size()).toBeGreaterThanOrEqual(1 << 19);
  ballast.release();
  expect(await size()).toBe(0);
  ballast.release();
});

it('takes up no room after the database was closed', async () => {
  const database = inFolder('closed.sqlite');
  const fill = vi.spyOn(Ballast.prototype, 'fill').mockResolvedValue();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    for (const closes of [false, true]) {
      const connections = await sqliteDialect(database).open();
      if (closes) await connections.close();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(fill).toHaveBeenCalledTimes(1);
      if (!closes) await connections.close();
    }
  } finally {
    vi.useRealTimers();
    fill.mockRestore();
  }
});
