import type { NotificationMessage } from '@holdfast/plugin-api';
import { type Answer, SoundTransport } from './notifier-sound.js';

/** Keeps the message between two steps where the next one overwrites it. */
export class MixingTransport extends SoundTransport {
  #last = '';

  protected override text(message: NotificationMessage): string {
    this.#last = super.text(message);
    return this.#last;
  }

  protected override async post(target: string, _body: string, signal?: AbortSignal): Promise<Answer> {
    await new Promise(setImmediate);
    return super.post(target, this.#last, signal);
  }
}
