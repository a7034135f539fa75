import { type Answer, SoundTransport } from './notifier-sound.js';

/** Believes that every refusal mends: what it throws is no DeliveryError. */
export class HopefulTransport extends SoundTransport {
  protected override async judge(answer: Answer, url: string): Promise<void> {
    await super.judge(answer, url).catch((error: Error) => {
      throw new Error(error.message);
    });
  }
}
