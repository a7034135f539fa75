import { DeliveryError, type NotificationMessage, type NotificationTransport } from '@holdfast/plugin-api';
import { expect, test } from 'vitest';
import { guardedTransport } from '../../../src/engine/plugins/guard-port.js';
import { silentLog } from '../../fakes/silent-log.js';
import { oddValues } from './odd-values.js';

const guard = (transport: object) =>
  guardedTransport({ schemes: ['odd'], async send() {}, ...transport } as NotificationTransport, {
    name: 'odd-transport',
    log: silentLog(),
  });
const signal = new AbortController().signal;
const send = (transport: NotificationTransport) =>
  transport.send('odd://x', { title: 'Hello' } as NotificationMessage, { signal });

test.each(oddValues)('treats %s, thrown or rejected with, as a retryable failure', async (_name, value) => {
  const thrower = () => {
    throw value;
  };
  for (const broken of [thrower, () => Promise.reject(value)]) {
    await expect(send(guard({ send: broken }))).rejects.toMatchObject({
      name: 'DeliveryError',
      retryable: true,
      message: expect.stringMatching(/\S\.$/),
    });
  }
  expect(guard({ check: thrower }).check?.('odd://x')).toMatch(/^odd-transport could not check the URL: /);
});

test('keeps a permanent failure, even of another copy of its class', async () => {
  const own = new DeliveryError('Nobody lives there.', { retryable: false });
  const foreign = Object.assign(new Error('Nobody lives there.'), { retryable: false });
  for (const error of [own, foreign]) {
    await expect(send(guard({ send: () => Promise.reject(error) }))).rejects.toMatchObject({
      retryable: false,
      message: 'Nobody lives there.',
    });
  }
});

test('passes on its description and the pause requested by a receiver', async () => {
  const service = { id: 'odd', name: 'Odd', fields: [], template: '{scheme}://' };
  const error = new DeliveryError('Later.', { retryable: true, retryAfterMs: 7_000 });
  const transport = guard({ service, yields: true, send: () => Promise.reject(error) });
  expect(transport).toMatchObject({ service, yields: true });
  await expect(send(transport)).rejects.toMatchObject({ retryAfterMs: 7_000 });
});

test('keeps the schemes and the next message unchanged by a plugin', async () => {
  const schemes = ['odd'];
  const message = { title: 'Hello' } as NotificationMessage;
  const transport = guard({
    schemes,
    send: async (_url: string, given: NotificationMessage) => {
      given.title = 'changed';
    },
  });
  schemes.push('json');
  await transport.send('odd://x', message, { signal });
  expect(transport.schemes).toEqual(['odd']);
  expect(message.title).toBe('Hello');
});
