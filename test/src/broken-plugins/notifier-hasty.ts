import { type Answer, SoundTransport } from './notifier-sound.js';

/** Takes a slow receiver for a dead one, and asks again. */
export class HastyTransport extends SoundTransport {
  protected override async post(target: string, body: string, signal?: AbortSignal): Promise<Answer> {
    const limit = AbortSignal.timeout(1_000);
    const both = signal ? AbortSignal.any([signal, limit]) : limit;
    return super.post(target, body, both).catch((error: unknown) => {
      if (!limit.aborted) throw error;
      return super.post(target, body, signal);
    });
  }
}
