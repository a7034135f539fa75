import {
  type Aggregate,
  type Entity,
  type InsertOf,
  type Query,
  type RowOf,
  type StoragePort,
  type StorageSession,
  type StorageStart,
  StoreError,
  type Where,
} from '@holdfast/plugin-api';
import { refuseNewer } from './schema.js';
import { Session } from './session.js';
import { Store } from './store.js';
import { Transfer } from './transfer.js';

/** The open files of this process. */
const stores = new Map<string, Promise<Store>>();

export class JsonStorage implements StoragePort {
  #store: Store | null = null;
  readonly transfer = new Transfer(() => this.#open());

  constructor(private readonly file: string) {}

  async start(given: StorageStart): Promise<void> {
    const opening = stores.get(this.file) ?? open(this.file, given);
    stores.set(this.file, opening);
    opening.catch(() => stores.delete(this.file));
    const store = await opening;
    refuseNewer(this.file, store.version, given.schema);
    this.#store = store;
    store.users += 1;
  }

  async schemaVersion(): Promise<number> {
    return this.#open().version;
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

async function open(file: string, given: StorageStart): Promise<Store> {
  const store = new Store(file);
  await store.load(given);
  return store;
}
