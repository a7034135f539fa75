import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { Ballast } from '../src/ballast.js';
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
