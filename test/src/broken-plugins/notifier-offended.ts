import { type Answer, SoundTransport } from './notifier-sound.js';

/** Never asks a receiver again that was away once. */
export class OffendedTransport extends SoundTransport {
  #away: unknown = null;

  protected override async post(target: string, body: string, signal?: AbortSignal): Promise<Answer> {
    if (this.#away !== null) throw this.#away;
    try {
      return await super.post(target, body, signal);
    } catch (error) {
      this.#away = error;
      throw error;
    }
  }
}
