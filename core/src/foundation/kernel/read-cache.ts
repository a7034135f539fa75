import type { StorageBackend } from '@holdfast/plugin-api';

/** Enough for all lists of one user interface in every form. */
const maxEntries = 64;

interface CachedValue {
  changeToken: string;
  value: Promise<object>;
}

/** A value that is being made, and the one that those share who asked meanwhile. */
interface Making {
  value: Promise<object>;
  next: Promise<object> | null;
}

/**
 * Caches values read from the storage until any process commits a change. User interfaces poll the same lists
 * every second, and each request looks up its token. A storage without `changeToken` is read every time. Values are
 * frozen because callers share them.
 */
export class ReadCache {
  readonly #entries = new Map<string, CachedValue>();
  readonly #makings = new Map<string, Making>();
  readonly #changeTokens: ChangeTokens | null;

  constructor(storage: Pick<StorageBackend, 'changeToken'>) {
    this.#changeTokens = changeTokensOf(storage);
  }

  /**
   * `make` may depend only on the storage, `key` and `moment`. Only the latest moment of each key is cached. While
   * commits come faster than `make` can read, callers share the next value that is read after their call.
   */
  async read<T extends object>(key: string, make: () => Promise<T>, moment = 0): Promise<T> {
    const tokens = this.#changeTokens;
    if (!tokens) return Object.freeze(await make());
    const token = async () => `${await tokens.fromNowOn()} ${moment}`;
    const changeToken = await token();
    const cached = this.#entries.get(key);
    if (cached?.changeToken === changeToken) return cached.value as Promise<T>;
    const making = this.#makings.get(key);
    if (!making) return this.#begin(key, changeToken, make) as Promise<T>;
    making.next ??= this.#after(making, key, async () => this.#begin(key, await token(), make));
    return making.next as Promise<T>;
  }

  async #after(making: Making, key: string, begin: () => Promise<object>): Promise<object> {
    await making.value.catch(() => {});
    try {
      return await begin();
    } catch (error) {
      if (this.#makings.get(key) === making) this.#makings.delete(key);
      throw error;
    }
  }

  /** Reads after the token: a commit in between changes the next one. */
  #begin(key: string, changeToken: string, make: () => Promise<object>): Promise<object> {
    const value = make().then((made) => Object.freeze(made));
    const making: Making = { value, next: null };
    this.#makings.set(key, making);
    const end = () => {
      // With a next one, it stays for those who ask until that begins.
      if (!making.next && this.#makings.get(key) === making) this.#makings.delete(key);
    };
    value.then(end, end);
    this.#store(key, { changeToken, value });
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

/** Reads the change tokens of one storage for all its caches. */
class ChangeTokens {
  #running: Promise<string> | null = null;
  #next: Promise<string> | null = null;

  constructor(private readonly read: () => Promise<string>) {}

  /** A token that is read after this call. Callers that arrive during a read share the next one. */
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

const known = new WeakMap<object, ChangeTokens>();

function changeTokensOf(storage: Pick<StorageBackend, 'changeToken'>): ChangeTokens | null {
  if (!storage.changeToken) return null;
  const changeTokens =
    known.get(storage) ?? new ChangeTokens(() => storage.changeToken?.() ?? Promise.resolve(''));
  known.set(storage, changeTokens);
  return changeTokens;
}
