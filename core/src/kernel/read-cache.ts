import type { StorageBackend } from '@holdfast/plugin-api';

/** Enough for all lists of one user interface in every form. */
const mostKept = 64;

interface Kept {
  mark: string;
  value: Promise<object>;
}

/**
 * Caches values read from the storage until any process commits a change. User interfaces poll the same lists
 * every second, and each request looks up its token. A storage without `mark` is read every time. Values are
 * frozen because callers share them.
 */
export class ReadCache {
  readonly #kept = new Map<string, Kept>();
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
    const kept = this.#kept.get(key);
    if (kept?.mark === mark) return kept.value as Promise<T>;
    // Read after the mark: a commit in between changes the next mark.
    const value = make().then((made) => Object.freeze(made));
    this.#keep(key, { mark, value });
    return value;
  }

  #keep(key: string, entry: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    entry.value.catch(() => this.#kept.get(key) === entry && this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
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
