import { EventEmitter, once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limitedSignal } from '@holdfast/plugin-api';
import { expect, test } from 'vitest';

const ended = (signal: AbortSignal) =>
  once(new EventEmitter(), 'never', { signal }).catch(() => signal.reason.name);

test('fires at the time limit despite garbage collection', async () => {
  setFlagsFromString('--expose-gc');
  const waiting = ended(limitedSignal(100, new AbortController().signal));
  // In a turn of its own: what this one made is held until its end.
  await new Promise((resolve) => setImmediate(resolve));
  runInNewContext('gc')();
  expect(await waiting).toBe('TimeoutError');
});

test('follows an earlier abort of the joined signal', async () => {
  const cancelled = new AbortController();
  const waiting = ended(limitedSignal(60_000, cancelled.signal));
  cancelled.abort(new DOMException('', 'AbortError'));
  expect(await waiting).toBe('AbortError');
});
