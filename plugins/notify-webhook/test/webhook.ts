import type { DeliveryError, NotificationMessage, NotificationTransport } from '@holdfast/plugin-api';
import plugin from '../src/index.js';

export const message: NotificationMessage = {
  id: 'evt-7-3',
  title: 'nightly: ✅ Backup successful',
  body: 'Repository: home\nSize: 12.00 MiB',
  format: 'text',
  type: 'success',
  event: 'backup_success',
  timestamp: '2030-01-02T03:04:05.678Z',
  data: { repository_name: 'home', stats: { original_size: 1 } },
};

const nothing = () => undefined;
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => log };

/** The transport as the host makes it. */
export async function webhook(configuration: object = {}): Promise<NotificationTransport> {
  const context = { log, clock: { now: Date.now }, dataFolder: '/nowhere', fetch };
  return plugin.create({ ...context, configuration: plugin.configuration.parse(configuration) });
}

export async function send(url: string, configuration: object = {}): Promise<void> {
  await (await webhook(configuration)).send(url, message, { signal: new AbortController().signal });
}

/** Why a message could not be sent. */
export async function refusal(url: string, configuration: object = {}): Promise<DeliveryError> {
  try {
    await send(url, configuration);
  } catch (error) {
    return error as DeliveryError;
  }
  throw new Error('it was sent');
}
