import { DeliveryError } from '@holdfast/plugin-api';
import { type Answer, SoundTransport } from './notifier-sound.js';

/** Names the service URL in its errors. */
export class TalkativeTransport extends SoundTransport {
  protected override async judge(answer: Answer, url: string): Promise<void> {
    await super.judge(answer, url).catch((error: DeliveryError) => {
      throw new DeliveryError(`${url}: ${error.message}`, { retryable: error.retryable });
    });
  }
}
