import { type StorageBackend, type StorageSession, StoreError, say } from '@holdfast/plugin-api';
import { expect, test } from 'vitest';
import { guardedStorage } from '../../../src/engine/plugins/guard-port.js';
import { AppError } from '../../../src/foundation/kernel/errors.js';
import { settings } from '../../../src/foundation/kernel/tables.js';
import { memoryStorage } from '../../fakes/memory-storage.js';
import { silentLog } from '../../fakes/silent-log.js';
import { never, oddValues } from './odd-values.js';

const times = { call: 30, transaction: 60, timer: 30 };
const guard = (broken: Partial<StorageBackend>, sound: StorageBackend = memoryStorage()) => {
  const port = new Proxy(sound, {
    get(target, name) {
      const own = broken[name as keyof StorageBackend];
      if (own) return own;
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  return guardedStorage(port, { name: 'odd-storage', log: silentLog() }, times);
};

const operations: [string, (session: StorageSession) => Promise<unknown>][] = [
  ['find', (session) => session.find(settings)],
  ['insert', (session) => session.insert(settings, { key: 'a', value: 1 })],
  ['update', (session) => session.update(settings, { key: 'a' }, { value: 2 })],
  ['remove', (session) => session.remove(settings, { key: 'a' })],
  ['aggregate', (session) => session.aggregate(settings, { measures: { all: { count: true } } })],
];
const unavailable = {
  name: 'StoreError',
  kind: 'unavailable',
  message: expect.stringContaining('odd-storage'),
};

test('passes a sound storage through unchanged', async () => {
  const storage = guard({});
  await storage.transaction((session) => session.insert(settings, { key: 'a', value: 1 }));
  await expect(storage.insert(settings, { key: 'a', value: 1 })).rejects.toMatchObject({ kind: 'unique' });
  expect(await storage.update(settings, { key: 'a' }, { value: 2 })).toBe(1);
  expect(await storage.find(settings)).toMatchObject([{ key: 'a', value: 2 }]);
});

test.each(operations)('reports %s as unavailable for any thrown value', async (name, call) => {
  for (const [, value] of oddValues) {
    await expect(call(guard({ [name]: () => Promise.reject(value) }))).rejects.toMatchObject(unavailable);
    const thrower = () => {
      throw value;
    };
    await expect(call(guard({ [name]: thrower }))).rejects.toMatchObject(unavailable);
  }
});

test.each(operations)('reports %s as unavailable if it never answers', async (name, call) => {
  await expect(call(guard({ [name]: never }))).rejects.toMatchObject(unavailable);
});

test('rejects with the error of the work in a transaction', async () => {
  const error = new AppError('conflict', say`x: someone was quicker`);
  const fail = async () => {
    throw error;
  };
  await expect(guard({}).transaction(fail)).rejects.toBe(error);
});

test('does not commit a transaction that was abandoned', async () => {
  const sound = memoryStorage();
  let resolve = () => {};
  const late = new Promise<void>((done) => {
    resolve = done;
  });
  const storage = guard({}, sound);
  const transaction = storage.transaction(async (session) => {
    await session.insert(settings, { key: 'late', value: 1 });
    await late;
  });
  await expect(transaction).rejects.toMatchObject(unavailable);
  resolve();
  await expect.poll(() => sound.find(settings)).toEqual([]);
});

test('reports a failing or hanging transaction as unavailable', async () => {
  const work = async () => 'done';
  for (const [, value] of oddValues) {
    const broken = guard({ transaction: () => Promise.reject(value) });
    await expect(broken.transaction(work)).rejects.toMatchObject(unavailable);
  }
  await expect(guard({ transaction: never }).transaction(work)).rejects.toMatchObject(unavailable);
  const conflict = new StoreError('conflict', 'again');
  await expect(guard({ transaction: () => Promise.reject(conflict) }).transaction(work)).rejects.toBe(
    conflict,
  );
});

test('reports a failing or hanging change token as unavailable, and keeps it optional', async () => {
  expect(await guard({ changeToken: async () => 'a' }).changeToken?.()).toBe('a');
  expect(guard({}).changeToken).toBeUndefined();
  for (const changeToken of [() => Promise.reject(), never]) {
    await expect(guard({ changeToken }).changeToken?.()).rejects.toMatchObject(unavailable);
  }
});
