import type { NotificationMessage } from '@holdfast/plugin-api';
import { SoundTransport } from './notifier-sound.js';

/** Looks at the signal when the message is on its way already. */
export class EagerTransport extends SoundTransport {
  override async send(
    url: string,
    message: NotificationMessage,
    { signal }: { signal: AbortSignal },
  ): Promise<void> {
    const given = new AbortController();
    const sending = super.send(url, message, { signal: given.signal });
    if (signal.aborted) {
      await sending;
      signal.throwIfAborted();
    }
    signal.addEventListener('abort', () => given.abort());
    await sending;
  }
}
