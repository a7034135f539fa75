import { DeliveryError } from '@holdfast/plugin-api';
import { type Answer, SoundTransport } from './notifier-sound.js';

/** Says in its errors what it asked for, with the token in it. */
export class TokenTellingTransport extends SoundTransport {
  constructor(private readonly words: (target: string) => string) {
    super();
  }

  protected override async judge(answer: Answer, url: string): Promise<void> {
    await super.judge(answer, url).catch(({ message, retryable }: DeliveryError) => {
      throw new DeliveryError(`${this.words(this.target(url))}: ${message}`, { retryable });
    });
  }
}
