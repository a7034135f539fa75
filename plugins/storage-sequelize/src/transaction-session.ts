import {
  type Aggregate,
  type Entity,
  type InsertOf,
  type Query,
  type RowOf,
  type StorageSession,
  StoreError,
  type Where,
} from '@holdfast/plugin-api';
import type { SqlDialect } from './dialect.js';
import type { SqlSession } from './session.js';
import { storeErrorOf } from './store-errors.js';

/** The session of one transaction: useless after it, and after a statement of it was refused. */
export class TransactionSession implements StorageSession {
  private ended = false;
  private refusal: { error: unknown } | null = null;

  constructor(
    private readonly session: SqlSession,
    private readonly dialect: SqlDialect,
  ) {}

  /** Rejects with what `work` threw; or with the first refusal, also when `work` passed over it. */
  async run<T>(work: (session: StorageSession) => Promise<T>): Promise<T> {
    try {
      const result = await work(this);
      if (this.refusal) throw this.refusal.error;
      return result;
    } finally {
      this.ended = true;
    }
  }

  find<E extends Entity>(entity: E, query?: Query<E>): Promise<RowOf<E>[]> {
    return this.guard(entity, () => this.session.find(entity, query));
  }

  insert<E extends Entity>(entity: E, row: InsertOf<E>): Promise<RowOf<E>> {
    return this.guard(entity, () => this.session.insert(entity, row));
  }

  update<E extends Entity>(entity: E, where: Where<E>, patch: Partial<RowOf<E>>): Promise<number> {
    return this.guard(entity, () => this.session.update(entity, where, patch));
  }

  remove<E extends Entity>(entity: E, where: Where<E>): Promise<number> {
    return this.guard(entity, () => this.session.remove(entity, where));
  }

  aggregate<E extends Entity, G extends keyof RowOf<E> & string = never, M extends string = string>(
    entity: E,
    query: Aggregate<E, G, M>,
  ): Promise<(Pick<RowOf<E>, G> & Record<M, number | null>)[]> {
    return this.guard(entity, () => this.session.aggregate(entity, query));
  }

  private async guard<T>(entity: Entity, operation: () => Promise<T>): Promise<T> {
    if (this.ended) throw new StoreError('invalid', 'The transaction of this session has ended.');
    if (this.refusal) throw this.refusal.error;
    try {
      return await operation();
    } catch (error) {
      const refused = storeErrorOf(error, this.dialect, entity);
      this.refusal ??= { error: refused };
      throw refused;
    }
  }
}
