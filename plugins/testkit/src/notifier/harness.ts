import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type {
  Log,
  NotificationMessage,
  NotificationTransport,
  PluginDefinition,
  PluginInstance,
} from '@holdfast/plugin-api';
import type { ConformanceCase } from '../case.js';
import { secretsOfConfiguration, secretsOfUrl } from './secrets.js';
import { Sink } from './sink.js';

export interface NotifierSuiteOptions {
  plugin: PluginDefinition<'notify'>;
  /** A service URL of the plugin that leads to the sink. */
  urlFor(sink: Sink): string;
  /** The plugin's own configuration, if it needs one. */
  configurationFor?(sink: Sink): unknown;
  /** Texts that no error may contain, in addition to the parts of that URL and the secrets in the configuration. */
  secrets?: readonly string[];
  /** How much of a long body arrives at least, in characters, if the service has a limit; default: all of it. */
  longestBody?: number;
}

/** What a case works with. */
export interface Scene {
  transport: NotificationTransport;
  sink: Sink;
  url: string;
  secrets: readonly string[];
  /** Sends within a few seconds, or fails the case. */
  send(message?: NotificationMessage, signal?: AbortSignal): Promise<void>;
}

/** The longest that a case waits for something that should happen by itself, milliseconds. */
export const patience = 10_000;

export const sample: NotificationMessage = {
  id: 'evt-1-1',
  title: 'Backup Failed',
  body: 'The repository could not be read.',
  format: 'text',
  type: 'failure',
  event: 'backup_failure',
  timestamp: '2030-01-02T03:04:05.678Z',
  data: { repository_name: 'home', job_id: 7 },
};

export function caseWith(
  options: NotifierSuiteOptions,
  name: string,
  work: (scene: Scene) => Promise<void>,
): ConformanceCase {
  return { name, run: () => onScene(options, work) };
}

async function onScene(options: NotifierSuiteOptions, work: (scene: Scene) => Promise<void>): Promise<void> {
  const sink = await Sink.open();
  const dataFolder = await mkdtemp(join(tmpdir(), 'holdfast-notifier-'));
  try {
    const transport = await create(options, sink, dataFolder);
    await transport.start?.();
    try {
      await work(sceneOf(options, sink, transport));
    } finally {
      await within('stop()', async () => transport.stop?.());
    }
  } finally {
    await sink.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

export const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quiet,
};

async function create(
  { plugin, configurationFor }: NotifierSuiteOptions,
  sink: Sink,
  dataFolder: string,
): Promise<PluginInstance<NotificationTransport>> {
  const configuration = plugin.configuration.parse(configurationFor?.(sink) ?? {});
  return plugin.create({ configuration, log: quiet, clock: { now: Date.now }, dataFolder, fetch });
}

function sceneOf(options: NotifierSuiteOptions, sink: Sink, transport: NotificationTransport): Scene {
  const url = options.urlFor(sink);
  const secrets = [
    ...secretsOfUrl(url),
    ...secretsOfConfiguration(options.configurationFor?.(sink), options.plugin.configuration),
    ...(options.secrets ?? []),
  ];
  const send = (message = sample, signal = new AbortController().signal) =>
    within('send()', () => transport.send(url, message, { signal }));
  return { transport, sink, url, secrets, send };
}

export async function within<T>(what: string, work: () => Promise<T>, ms = patience): Promise<T> {
  const end = new AbortController();
  const late = setTimeout(ms, undefined, { signal: end.signal }).then(() =>
    assert.fail(`${what} took over ${ms} ms`),
  );
  late.catch(() => {});
  return Promise.race([work(), late]).finally(() => end.abort());
}

/** The error that `send` rejected with; fails the case if it resolved, or if the case itself failed. */
export async function rejection(sending: Promise<void>, when: string): Promise<Error> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    assert.ok(error instanceof Error, `${when}: it was rejected with something that is not an Error`);
    return error;
  }
  throw new assert.AssertionError({ message: `${when}: the message was reported as delivered` });
}

/** As core reads it: only a DeliveryError can report a permanent failure. */
export const isRetryable = (error: Error): boolean =>
  error.name !== 'DeliveryError' || (error as Error & { retryable?: unknown }).retryable === true;
