import {
  type Aggregate,
  type Entity,
  type InsertOf,
  type Query,
  type RowOf,
  type StorageBackend,
  type StorageSession,
  StoreError,
  type Where,
} from '@holdfast/core/plugin';
import { Session } from './session.js';
import { Store } from './store.js';

/** The open files of this process. */
const stores = new Map<string, Promise<Store>>();

export class JsonStorage implements StorageBackend {
  #store: Store | null = null;

  constructor(private readonly file: string) {}

  async start(): Promise<void> {
    const opening = stores.get(this.file) ?? open(this.file);
    stores.set(this.file, opening);
    this.#store = await opening;
    this.#store.users += 1;
  }

  async stop(): Promise<void> {
    const store = this.#store;
    this.#store = null;
    if (!store) return;
    store.users -= 1;
    await store.idle();
    if (store.users === 0) stores.delete(this.file);
  }

  async find<E extends Entity>(entity: E, query?: Query<E>): Promise<RowOf<E>[]> {
    const store = this.#open();
    return new Session(() => store.tables).find(entity, query);
  }

  async aggregate<E extends Entity, G extends keyof RowOf<E> & string = never, M extends string = string>(
    entity: E,
    query: Aggregate<E, G, M>,
  ): Promise<(Pick<RowOf<E>, G> & Record<M, number | null>)[]> {
    const store = this.#open();
    return new Session(() => store.tables).aggregate(entity, query);
  }

  insert<E extends Entity>(entity: E, row: InsertOf<E>): Promise<RowOf<E>> {
    return this.transaction((session) => session.insert(entity, row));
  }

  update<E extends Entity>(entity: E, where: Where<E>, patch: Partial<RowOf<E>>): Promise<number> {
    return this.transaction((session) => session.update(entity, where, patch));
  }

  remove<E extends Entity>(entity: E, where: Where<E>): Promise<number> {
    return this.transaction((session) => session.remove(entity, where));
  }

  async transaction<T>(work: (session: StorageSession) => Promise<T>): Promise<T> {
    return this.#open().write(async (tables) => {
      const session = new Session(() => tables);
      try {
        const result = await work(session);
        session.check();
        return result;
      } finally {
        session.close();
      }
    });
  }

  #open(): Store {
    if (this.#store) return this.#store;
    throw new StoreError('unavailable', `The store ${this.file} is not open.`);
  }
}

async function open(file: string): Promise<Store> {
  const store = new Store(file);
  await store.load();
  return store;
}
