import type { NotificationMessage } from '@holdfast/plugin-api';
import { SoundTransport } from './notifier-sound.js';

/** Says that something happened, not what. */
export class MuteTransport extends SoundTransport {
  protected override text({ title }: NotificationMessage): string {
    return title;
  }
}
