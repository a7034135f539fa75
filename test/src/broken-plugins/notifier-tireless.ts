import { type Answer, SoundTransport } from './notifier-sound.js';

/** Follows every redirect. */
export class TirelessTransport extends SoundTransport {
  protected override async post(target: string, body: string, signal?: AbortSignal): Promise<Answer> {
    for (;;) {
      const answer = await super.post(target, body, signal);
      if (answer.statusCode < 300 || answer.statusCode >= 400) return answer;
      await answer.body.dump();
    }
  }
}
