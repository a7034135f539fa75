import type { NotificationMessage } from '@holdfast/plugin-api';
import { SoundTransport } from './notifier-sound.js';

/** Tries again by itself. */
export class StubbornTransport extends SoundTransport {
  override async send(
    url: string,
    message: NotificationMessage,
    options: { signal: AbortSignal },
  ): Promise<void> {
    await super.send(url, message, options).catch(() => super.send(url, message, options));
  }
}
