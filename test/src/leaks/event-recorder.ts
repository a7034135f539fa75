import type { Api } from '../api.js';

/** The stream of events as it comes, from the first event on. */
export class EventRecorder {
  text: string;
  readonly #leaving: AbortController;
  readonly #ended: Promise<void>;

  private constructor(response: Response, leaving: AbortController) {
    this.text = `${JSON.stringify(Object.fromEntries(response.headers))}\n`;
    this.#leaving = leaving;
    this.#ended = this.#read(response).catch(() => undefined);
  }

  static async open(api: Api): Promise<EventRecorder> {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${api.token}`, 'last-event-id': '0' };
    const response = await fetch(new URL('/api/events', api.baseUrl), { headers, signal: leaving.signal });
    if (response.status !== 200) throw new Error(`the stream of events answers ${response.status}`);
    return new EventRecorder(response, leaving);
  }

  /** Resolves to all that came. */
  async close(): Promise<string> {
    this.#leaving.abort();
    await this.#ended;
    return this.text;
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) this.text += decoder.decode(chunk, { stream: true });
  }
}
