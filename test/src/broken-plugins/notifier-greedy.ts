import { type Answer, SoundTransport } from './notifier-sound.js';

/** Reads every answer to its end. */
export class GreedyTransport extends SoundTransport {
  protected override async judge(answer: Answer, url: string): Promise<void> {
    await answer.body.text();
    await super.judge(answer, url);
  }
}
