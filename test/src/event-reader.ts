export interface ReadEvent {
  id: number;
  kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into data of every kind
  data: any;
}

/** Reads a stream of server-sent events as a client does. */
export class EventReader {
  #rest = '';
  readonly #decoder = new TextDecoder();
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  private constructor(
    readonly response: Response,
    readonly abort: () => void,
  ) {
    this.#reader = response.body?.getReader();
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
    const leaving = new AbortController();
    const response = await fetch(url, { headers, signal: leaving.signal });
    return new EventReader(response, () => leaving.abort());
  }

  /** The next event; null at the end of the stream, also when it broke off. */
  async next(): Promise<ReadEvent | null> {
    for (;;) {
      const block = await this.#block().catch(() => null);
      if (block === null) return null;
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data === undefined) continue;
      return { id: Number(field('id')), kind: field('event') ?? '', data: JSON.parse(data) };
    }
  }

  async take(count: number): Promise<ReadEvent[]> {
    const events: ReadEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (event === null) throw new Error(`the stream ended after ${events.length} of ${count} events`);
      events.push(event);
    }
    return events;
  }

  async #block(): Promise<string | null> {
    for (;;) {
      const end = this.#rest.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 2);
        return block;
      }
      const chunk = await this.#reader?.read();
      if (chunk === undefined || chunk.done) return null;
      this.#rest += this.#decoder.decode(chunk.value, { stream: true });
    }
  }
}
