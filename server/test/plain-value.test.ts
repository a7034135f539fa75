import { StoreError } from '@holdfast/plugin-api';
import { expect, test } from 'vitest';
import { plainValue } from '../src/adapters/plain-value.js';

const plain = (value: unknown) => plainValue(value, (text) => text.replaceAll('sesame', '***'));

test('redacts texts at any depth', () => {
  const error = new Error('sesame', { cause: { deep: ['sesame'] } });
  expect(plain({ error })).toMatchObject({
    error: { name: 'Error', message: '***', cause: { deep: ['***'] } },
  });
});

test('writes the cause of an error once', () => {
  const cause = new Error('the disk is full');
  const error = new StoreError('unavailable', 'The storage failed.', { key: 'name', cause });
  expect(JSON.stringify(plain({ error })).match(/"message":"the disk is full"/g)).toHaveLength(1);
  expect(plain({ error })).toMatchObject({ error: { options: { key: 'name' } } });
});

test('cuts off circular references', () => {
  const ring: Record<string, unknown> = { name: 'ring' };
  ring.self = ring;
  ring.list = [ring];
  expect(plain(ring)).toEqual({ name: 'ring', self: '…', list: ['…'] });
});

test('handles values that cannot be read', () => {
  const getter = Object.defineProperty({}, 'a', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  const proxy = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  expect(plain({ getter, proxy, fine: 1 })).toEqual({
    getter: 'unreadable value',
    proxy: 'unreadable value',
    fine: 1,
  });
});

test('very wide values are bounded', () => {
  const wide: object[] = [];
  for (let n = 0; n < 50; n++) wide.push({ wide });
  const tree = (depth: number): object =>
    depth === 0 ? {} : Array.from({ length: 20 }, () => tree(depth - 1));
  expect(JSON.stringify(plain({ wide, tree: tree(5) })).length).toBeLessThan(1_000_000);
});
