import { DeliveryError } from '@holdfast/plugin-api';
import { type Answer, SoundTransport } from './notifier-sound.js';

/** Passes on what the receiver says, secrets and all. */
export class RepeatingTransport extends SoundTransport {
  protected override async judge(answer: Answer, url: string): Promise<void> {
    let said = '';
    for await (const chunk of answer.body) {
      said += String(chunk);
      if (said.length > 1_000) break;
    }
    await super.judge(answer, url).catch((error: DeliveryError) => {
      throw new DeliveryError(said, { retryable: error.retryable });
    });
  }
}
