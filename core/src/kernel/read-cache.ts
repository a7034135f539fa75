import type { StorageBackend } from '@holdfast/plugin-api';

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
export class ReadCache {
  readonly #kept = new Map<string, Kept>();
  readonly #marks: Marks | null;

  constructor(storage: Pick<StorageBackend, 'mark'>) {
    this.#marks = marksOf(storage);
  }

  /** `make` reads nothing but the storage, and what `key` and `moment` tell; only the last moment of a key is kept. */
  async read<T extends object>(key: string, make: () => Promise<T>, moment = 0): Promise<T> {
    if (!this.#marks) return Object.freeze(await make());
    const mark = `${await this.#marks.fromNowOn()} ${moment}`;
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
}

/** The marks of one storage, for all that is kept of it. */
class Marks {
  #running: Promise<string> | null = null;
  #next: Promise<string> | null = null;

  constructor(private readonly read: () => Promise<string>) {}

  /** A mark that was read after now; one reading serves all who ask while another one runs. */
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
