/** Runs work sequentially per key; `take` returns null if too many are already waiting. */
export class Turns {
  readonly #lines = new Map<string, { tail: Promise<unknown>; length: number }>();

  constructor(private readonly longestLine: number) {}

  take<T>(key: string, work: () => Promise<T>): Promise<T> | null {
    const line = this.#lines.get(key) ?? { tail: Promise.resolve(), length: 0 };
    if (line.length >= this.longestLine) return null;
    this.#lines.set(key, line);
    line.length += 1;
    const turn = line.tail.then(work).finally(() => {
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(key);
    });
    line.tail = turn.catch(() => undefined);
    return turn;
  }
}
