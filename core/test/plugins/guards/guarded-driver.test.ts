import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  type BackupDriver,
  DriverError,
  type OperationOptions,
  type RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import { expect, test } from 'vitest';
import { guardedDriver } from '../../../src/engine/plugins/guard-driver.js';
import { silentLog } from '../../fakes/silent-log.js';
import { never, oddValues } from './odd-values.js';

const times = { call: 20, transaction: 20, timer: 20 };
const target = { uid: 'a', location: '/srv/a' } as RepositoryTarget;
const guard = (driver: object) =>
  guardedDriver(driver as BackupDriver, { name: 'odd-driver', log: silentLog() }, times);
const failed = { name: 'DriverError', kind: 'failed', message: expect.stringContaining('odd-driver') };
const list = (driver: BackupDriver, options?: OperationOptions) => driver.listArchives(target, {}, options);

test('returns results, warnings and errors of a sound operation unchanged', async () => {
  const result = { value: [], warnings: ['one file changed'] };
  expect(await list(guard({ listArchives: async () => result }))).toBe(result);
  const locked = new DriverError('locked', 'by someone', { holder: 'someone' });
  await expect(list(guard({ listArchives: () => Promise.reject(locked) }))).rejects.toBe(locked);
  expect(guard({}).extract).toBeUndefined();
});

test.each(oddValues)('treats %s, thrown or rejected with, as a driver failure', async (_name, value) => {
  const thrower = () => {
    throw value;
  };
  for (const broken of [thrower, () => Promise.reject(value)]) {
    const driver = guard({ listArchives: broken, version: broken, lockHolder: broken, forget: broken });
    await expect(list(driver)).rejects.toMatchObject(failed);
    await expect(driver.version()).rejects.toMatchObject(failed);
    await expect(driver.lockHolder(target)).rejects.toMatchObject(failed);
  }
  const driver = guard({ checkCustomFlags: thrower, readFile: thrower, listEntries: thrower });
  expect(driver.checkCustomFlags(['--x'])).toEqual([
    expect.stringMatching(/^odd-driver could not check this/),
  ]);
  await expect(text(driver.readFile(target, { archive: 'a', path: 'p' }))).rejects.toMatchObject(failed);
  await expect(
    driver.listEntries(target, { archive: 'a' })[Symbol.asyncIterator]().next(),
  ).rejects.toMatchObject(failed);
});

test('survives a stream that fails before anyone listens', async () => {
  const stream = new Readable({ read() {} });
  const given = guard({ readFile: () => stream }).readFile(target, { archive: 'a', path: 'p' });
  stream.destroy(new Error('too early'));
  await new Promise((resolve) => given.once('close', resolve));
  await expect(text(given)).rejects.toThrow('too early');
});

test('limits the time of local operations', async () => {
  const driver = guard({ version: never, endProcess: never });
  await expect(driver.version()).rejects.toThrow(/did not answer version/);
  await expect(driver.endProcess({ pid: 1, startedAt: '', host: '' })).rejects.toThrow(
    /did not answer endProcess/,
  );
});

test('abandons an operation that ignores its abort', async () => {
  const abort = new AbortController();
  const running = list(guard({ listArchives: never }), { signal: abort.signal });
  abort.abort();
  await expect(running).rejects.toMatchObject({ kind: 'cancelled' });
});
