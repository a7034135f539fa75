import { setImmediate as nextTurn } from 'node:timers/promises';

export class StoreTimeoutError extends Error {
  override readonly name = 'StoreTimeoutError';
}

/**
 * Rejects when the store's answer takes longer than `ms`. An answer that lay waiting while this process was busy is
 * taken: timers fire before it would be read.
 */
export async function withinStoreTime<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const give = async () => {
      await nextTurn();
      await nextTurn();
      reject(new StoreTimeoutError(`no answer within ${ms} ms`));
    };
    timer = setTimeout(give, ms);
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}
