import type { StorageBackend } from '../ports/storage.js';

/** More than the lists of one user interface, in all forms that it asks for. */
const mostKept = 64;

interface Kept {
  mark: string;
  value: Promise<object>;
}

/**
 * What was made from the storage is given again as long as nothing was committed since, by whichever process: user
 * interfaces ask for the same lists every second, and each request for the token that it comes with. Without a
 * storage that tells this, everything is read each time. Values are frozen, as several callers get them.
 */
export class KeptReads {
  readonly #kept = new Map<string, Kept>();
  #running: Promise<string> | null = null;
  #next: Promise<string> | null = null;

  constructor(private readonly storage: Pick<StorageBackend, 'mark'>) {}

  /** `make` reads nothing but the storage, and what `key` tells. */
  async read<T extends object>(key: string, make: () => Promise<T>): Promise<T> {
    if (!this.storage.mark) return Object.freeze(await make());
    const mark = await this.#markFromNowOn();
    const kept = this.#kept.get(key);
    if (kept?.mark === mark) return kept.value as Promise<T>;
    // Read after the mark: what was committed in between makes the next mark another one.
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

  /** A mark that was read after now; one reading serves all who ask while another one runs. */
  #markFromNowOn(): Promise<string> {
    if (!this.#running) return this.#readMark();
    this.#next ??= this.#running.then(
      () => this.#readMark(),
      () => this.#readMark(),
    );
    return this.#next;
  }

  #readMark(): Promise<string> {
    this.#next = null;
    const running = (this.storage.mark?.() ?? Promise.resolve('')).finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }
}
