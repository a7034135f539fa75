import { type Answer, SoundTransport } from './notifier-sound.js';

/** Goes on when the caller gave up. */
export class DeafTransport extends SoundTransport {
  protected override post(target: string, body: string): Promise<Answer> {
    return super.post(target, body);
  }
}
