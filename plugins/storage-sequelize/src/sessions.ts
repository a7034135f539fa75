import { type Entity, type StorageSession, StoreError } from '@holdfast/plugin-api';
import type { SqlSession } from './session.js';

const methods = ['find', 'insert', 'update', 'remove', 'aggregate'] as const;
type Method = (typeof methods)[number];
type Untyped = Record<Method, (...words: unknown[]) => Promise<unknown>>;
type Operation = (session: SqlSession) => Promise<unknown>;

/** A session that hands over what each of its methods would do with another one. */
export function sessionBy(
  pass: (operation: Operation, entity: Entity, method: Method) => Promise<unknown>,
): StorageSession {
  const own = methods.map((method) => [
    method,
    (entity: Entity, ...words: unknown[]) =>
      pass((session) => (session as unknown as Untyped)[method](entity, ...words), entity, method),
  ]);
  return Object.fromEntries(own) as unknown as StorageSession;
}

/**
 * Runs `work` with a session that is useless after it, and after a statement of it was refused. Rejects with what `work`
 * threw; or with the first refusal, also when `work` passed over it.
 */
export async function withinTransaction<T>(
  session: SqlSession,
  storeErrorOf: (error: unknown, entity: Entity) => unknown,
  work: (session: StorageSession) => Promise<T>,
): Promise<T> {
  let ended = false;
  const refusals: unknown[] = [];
  const guarded = sessionBy(async (operation, entity) => {
    if (ended) throw new StoreError('invalid', 'The transaction of this session has ended.');
    if (refusals.length > 0) throw refusals[0];
    try {
      return await operation(session);
    } catch (error) {
      refusals.push(storeErrorOf(error, entity));
      throw refusals.at(-1);
    }
  });
  try {
    const result = await work(guarded);
    if (refusals.length > 0) throw refusals[0];
    return result;
  } finally {
    ended = true;
  }
}
