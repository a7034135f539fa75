import type { StorageBackend } from '@holdfast/plugin-api';

/** Enough for all lists of one user interface in every form. */
const maxEntries = 64;

interface CachedValue {
  mark: string;
  value: Promise<object>;
}

/**
 * Caches values read from the storage until any process commits a change. User interfaces poll the same lists
 * every second, and each request looks up its token. A storage without `mark` is read every time. Values are
 * frozen because callers share them.
 */
export class ReadCache {
  readonly #entries = new Map<string, CachedValue>();
  readonly #marks: Marks | null;

  constructor(storage: Pick<StorageBackend, 'mark'>) {
    this.#marks = marksOf(storage);
  }

  /**
   * `make` may depend only on the storage, `key` and `moment`. Only the latest moment of each key is cached.
   */
  async read<T extends object>(key: string, make: () => Promise<T>, moment = 0): Promise<T> {
    if (!this.#marks) return Object.freeze(await make());
    const mark = `${await this.#marks.fromNowOn()} ${moment}`;
    const cached = this.#entries.get(key);
    if (cached?.mark === mark) return cached.value as Promise<T>;
    // Read after the mark: a commit in between changes the next mark.
    const value = make().then((made) => Object.freeze(made));
    this.#store(key, { mark, value });
    return value;
  }

  #store(key: string, entry: CachedValue): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.value.catch(() => this.#entries.get(key) === entry && this.#entries.delete(key));
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) this.#entries.delete(oldest);
  }
}

/** Reads the marks of one storage for all its caches. */
class Marks {
  #running: Promise<string> | null = null;
  #next: Promise<string> | null = null;

  constructor(private readonly read: () => Promise<string>) {}

  /** A mark that is read after this call. Callers that arrive during a read share the next one. */
  fromNowOn(): Promise<string> {
    if (!this.#running) return this.#begin();
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<string> {
    this.#next = null;
    const running = this.read().finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }
}

const known = new WeakMap<object, Marks>();

function marksOf(storage: Pick<StorageBackend, 'mark'>): Marks | null {
  if (!storage.mark) return null;
  const marks = known.get(storage) ?? new Marks(() => storage.mark?.() ?? Promise.resolve(''));
  known.set(storage, marks);
  return marks;
}
