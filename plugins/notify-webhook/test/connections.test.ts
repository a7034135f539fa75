import { once } from 'node:events';
import { createServer } from 'node:net';
import { failureOf, guardedLookup } from '@holdfast/notify-transport';
import { Sink } from '@holdfast/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendWebhook } from '../src/send-webhook.js';
import { readServiceUrl } from '../src/service-url.js';
import { message, refusal, send, webhook } from './webhook.js';

it.each(['169.254.169.254', '[fe80::1]', '[fd00:ec2::254]', '0xa9fea9fe', '[::ffff:169.254.169.254]'])(
  'sends nothing to %s in any notation',
  async (host) => {
    const error = await refusal(`json://${host}/latest/meta-data`);
    expect(error).toMatchObject({ name: 'DeliveryError', retryable: false });
    expect(error.message).toMatch(
      /link-local or metadata address; to allow it, add its network to NOTIFY_ALLOWED_NETWORKS/,
    );
    expect((await webhook()).check?.(`json://${host}/`)).toMatch(/NOTIFY_ALLOWED_NETWORKS/);
  },
);

it('accepts a URL in an allowed network', async () => {
  const { check } = await webhook({ allowedNetworks: ['169.254.7.0/24'] });
  expect(check?.('json://169.254.7.1/')).toBeNull();
  expect(check?.('json://169.254.8.1/')).toMatch(/NOTIFY_ALLOWED_NETWORKS/);
});

const look = (isForbidden: (address: string) => boolean, all: boolean) =>
  new Promise((resolve, reject) => {
    guardedLookup(isForbidden)('localhost', { all }, (error, address) =>
      error ? reject(error) : resolve(address),
    );
  });

it('checks a host name by the addresses of the connection', async () => {
  const isForbidden = vi.fn(() => false);
  expect(['127.0.0.1', '::1']).toContain(await look(isForbidden, false));
  expect(isForbidden).toHaveBeenCalled();
  expect(await look((address) => address === '::1', true)).toEqual([{ address: '127.0.0.1', family: 4 }]);
  await expect(look(() => true, true)).rejects.toMatchObject({ name: 'ForbiddenAddressError' });
  await expect(look(() => true, false)).rejects.toMatchObject({ name: 'ForbiddenAddressError' });
});

describe('a host name', () => {
  let sink: Sink;
  beforeEach(async () => {
    sink = await Sink.open();
  });
  afterEach(() => sink.close());
  const url = () => `json://localhost:${sink.host.split(':')[1]}/`;
  const signal = new AbortController().signal;

  it('works as an address does', async () => {
    await send(url());
    expect(sink.requests).toHaveLength(1);
  });

  it('is refused if it leads to a forbidden address, even after an allowed one', async () => {
    const forbidden = new Set<string>();
    const isForbidden = (address: string) => forbidden.has(address);
    const webhook = readServiceUrl(url());
    await sendWebhook(webhook, message, { isForbidden, signal });
    for (const address of ['127.0.0.1', '::1']) forbidden.add(address);
    const sending = sendWebhook(webhook, message, { isForbidden, signal });
    await expect(sending).rejects.toMatchObject({ name: 'DeliveryError', retryable: false });
    expect(sink.requests).toHaveLength(1);
  });
});

it('returns readable errors', async () => {
  const sink = await Sink.open();
  await sink.close();
  const refused = await refusal(`json://ada:secret@${sink.host}/token`);
  expect(refused).toMatchObject({ message: `${sink.host} refuses the connection.`, retryable: true });
  const unknown = failureOf('no-such-host.invalid', { code: 'ENOTFOUND' });
  expect(unknown.message).toBe('no-such-host.invalid is an unknown host name.');
  expect(unknown.retryable).toBe(true);
});

it('names a server without TLS', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end('220 mail\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const error = await refusal(`jsons://127.0.0.1:${port}/`);
  expect(error.message).toBe(`127.0.0.1:${port} failed the TLS handshake.`);
  server.close();
});
