import { DeliveryError } from '@holdfast/plugin-api';
import { type Answer, SoundTransport } from './notifier-sound.js';

/** Gives up for good when nobody answers. */
export class HopelessTransport extends SoundTransport {
  protected override async post(target: string, body: string, signal?: AbortSignal): Promise<Answer> {
    try {
      return await super.post(target, body, signal);
    } catch (cause) {
      throw new DeliveryError('The receiver is not there.', { retryable: false, cause });
    }
  }
}
