import { DeliveryError, type NotificationMessage, type NotificationTransport } from '@holdfast/plugin-api';
import { type Dispatcher, request } from 'undici';

export type Answer = Dispatcher.ResponseData;

/** A sound transport in few words, over `probe://host`; its broken relatives change one thing each. */
export class SoundTransport implements NotificationTransport {
  readonly schemes = ['probe'];

  async send(url: string, message: NotificationMessage, { signal }: { signal: AbortSignal }): Promise<void> {
    signal.throwIfAborted();
    await this.judge(await this.post(this.target(url), this.text(message), signal), url);
  }

  protected target(url: string): string {
    return url.replace('probe', 'http');
  }

  protected text({ title, body }: NotificationMessage): string {
    return `${title}\n${body}`;
  }

  protected post(target: string, body: string, signal?: AbortSignal): Promise<Answer> {
    return request(target, { method: 'POST', body, signal, reset: true });
  }

  /** Leaves the answer's body, or throws. */
  protected async judge({ statusCode, body }: Answer, _url: string): Promise<void> {
    body.on('error', () => undefined).destroy();
    if (statusCode >= 200 && statusCode < 300) return;
    throw new DeliveryError(`The receiver answered ${statusCode}.`, { retryable: statusCode >= 500 });
  }
}
