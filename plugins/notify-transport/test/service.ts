import type {
  DeliveryError,
  NotificationMessage,
  NotificationTransport,
  PluginDefinition,
} from '@holdfast/plugin-api';
import { Sink, type SinkRequest } from '@holdfast/testkit';
import { expect, it } from 'vitest';
import { asService, type Fake } from './fakes.js';

export const message: NotificationMessage = {
  id: '7c2c4f5e-0000-4000-8000-000000000001',
  title: '❌ Backup failed',
  body: 'Repository: home\n\nError: the disk is full',
  format: 'text',
  type: 'failure',
  event: 'backup_failure',
  timestamp: '2030-01-02T03:04:05.678Z',
  data: {},
};

const nothing = () => undefined;
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => log };

/** The transport as the host makes it. */
export async function transportOf(
  plugin: PluginDefinition<'notify'>,
  configuration: object = {},
): Promise<NotificationTransport> {
  const context = { log, clock: { now: Date.now }, dataFolder: '/nowhere', fetch };
  return plugin.create({ ...context, configuration: plugin.configuration.parse(configuration) });
}

/** Why a transport could not send. */
export async function refusal(sending: Promise<void>): Promise<DeliveryError> {
  try {
    await sending;
  } catch (error) {
    return error as DeliveryError;
  }
  throw new Error('it was sent');
}

/** A plugin and its service, for the length of one test. */
export async function onService(
  { plugin, fake }: { plugin: PluginDefinition<'notify'>; fake: Fake },
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  const sink = await Sink.open();
  sink.answer = asService(fake);
  const transport = await transportOf(plugin, fake.configuration(sink.host));
  const { signal } = new AbortController();
  const send = (url = fake.url(sink.host), changes: Partial<NotificationMessage> = {}) =>
    transport.send(url, { ...message, ...changes }, { signal });
  const sent: Scene['sent'] = async (url, changes) => {
    await send(url, changes);
    return sink.requests.at(-1) as SinkRequest;
  };
  try {
    await work({ sink, transport, send, sent, refused: (url, changes) => refusal(send(url, changes)) });
  } finally {
    await sink.close();
  }
}

type Sent<T> = (url?: string, changes?: Partial<NotificationMessage>) => Promise<T>;

export interface Scene {
  sink: Sink;
  transport: NotificationTransport;
  send: Sent<void>;
  /** The request that arrived. */
  sent: Sent<SinkRequest>;
  refused: Sent<DeliveryError>;
}

/** What is expected of every service over HTTP. */
export function commonCases(
  { plugin, fake }: { plugin: PluginDefinition<'notify'>; fake: Fake },
  { wrongToken, sentence }: { wrongToken: string; sentence: RegExp },
): void {
  const parts = { plugin, fake };

  it('takes a message as the service documents it', () => onService(parts, async ({ send }) => send()));

  it('suggests a fix for a wrong token and does not retry', () =>
    onService(parts, async ({ sink, refused }) => {
      const error = await refused(fake.url(sink.host, wrongToken));
      expect(error).toMatchObject({ name: 'DeliveryError', retryable: false });
      expect(error.message).toMatch(sentence);
      expect(error.message).not.toContain(wrongToken);
    }));

  it('cuts long texts instead of failing', () =>
    onService(parts, async ({ send }) => {
      const long = '😀<&>é'.repeat(20_000);
      await send(undefined, { title: long, body: long });
    }));

  it('does not follow a redirect', () =>
    onService(parts, async ({ sink, refused }) => {
      sink.answer = (response) =>
        void response.writeHead(302, { location: `http://${sink.host}/else` }).end();
      const { message: said, retryable } = await refused();
      expect([said, retryable]).toEqual([
        expect.stringMatching(/redirects to another address \(302\)/),
        true,
      ]);
      expect(sink.requests).toHaveLength(1);
    }));

  it('waits as long as it is asked to, in a header or in JSON', () =>
    onService(parts, async ({ sink, refused }) => {
      sink.answer = (response) => void response.writeHead(429, { 'retry-after': '17' }).end();
      expect(await refused()).toMatchObject({ retryable: true, retryAfterMs: 17_000 });
      sink.answer = (response) => void response.writeHead(429).end('{"parameters":{"retry_after":1.5}}');
      expect(await refused()).toMatchObject({ retryable: true, retryAfterMs: 1_500 });
      sink.answer = (response) => void response.writeHead(503, { 'retry-after': '999999' }).end();
      expect(await refused()).toMatchObject({ retryable: true, retryAfterMs: 3_600_000 });
    }));
}
