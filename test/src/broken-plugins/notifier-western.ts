import type { NotificationMessage } from '@holdfast/plugin-api';
import { SoundTransport } from './notifier-sound.js';

/** Knows the letters of one half of the world. */
export class WesternTransport extends SoundTransport {
  protected override text(message: NotificationMessage): string {
    return super.text(message).replace(/[^\n -ÿ]/g, '?');
  }
}
