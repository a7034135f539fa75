import { SoundTransport } from './notifier-sound.js';

/** Does not come to an end. */
export class ClingingTransport extends SoundTransport {
  stop(): Promise<void> {
    return new Promise(() => undefined);
  }
}
