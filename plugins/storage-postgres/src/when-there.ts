import { setTimeout as pause } from 'node:timers/promises';
import { type Log, StoreError } from '@holdfast/plugin-api';
import { causeOf, isAway } from './postgres-errors.js';
import type { PostgresServer } from './postgres-server.js';

/** Servers that are started together with us need a moment; who waits for this start wants to hear soon. */
const patienceMs = 5_000;
const askAgainMs = 250;

/** Tries again while the server is away. @throws StoreError `unavailable` that says what to do, after a while */
export async function whenThere<T>(
  open: () => Promise<T>,
  { server, log }: { server: PostgresServer; log: Log },
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let told = false; ; told = true) {
    try {
      return await open();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (performance.now() >= deadline) throw away(server, error);
      if (!told) log.warn('the database does not answer yet; trying again', { database: server.target });
      await pause(askAgainMs);
    }
  }
}

function away({ target }: PostgresServer, error: unknown): StoreError {
  const cause = causeOf(error);
  return new StoreError(
    'unavailable',
    `The database ${target} does not answer (${cause?.code ?? cause?.message}); start its server, or correct DATABASE_URL.`,
    { cause: error },
  );
}
