import type { NotificationMessage } from '@holdfast/plugin-api';
import { SoundTransport } from './notifier-sound.js';

/** Sends the beginning only. */
export class CuttingTransport extends SoundTransport {
  protected override text(message: NotificationMessage): string {
    return super.text(message).slice(0, 4_096);
  }
}
