import { type Answer, SoundTransport } from './notifier-sound.js';

/** Sends each message twice, to be sure. */
export class DoublingTransport extends SoundTransport {
  protected override async post(target: string, body: string, signal?: AbortSignal): Promise<Answer> {
    await (await super.post(target, body, signal)).body.dump();
    return super.post(target, body, signal);
  }
}
