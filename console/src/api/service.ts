import { base } from '../base.js';
import { makeStore } from '../store.js';
import { HoldfastError } from './client.js';
import { queryClient } from './query-client.js';

/** Whether the service can do anything at all. `since`: milliseconds since 1970. */
export type Service =
  | { state: 'ready' }
  | { state: 'unreachable'; since: number }
  | { state: 'unready'; since: number; error: HoldfastError };

export const service = makeStore<Service>({ state: 'ready' });

const pauseMs = 3_000;
let timer: ReturnType<typeof setTimeout> | undefined;
let isAsking = false;

/** An answer did not come, or said 503: asks the service itself, and until it is ready again. */
export async function suspect(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  clearTimeout(timer);
  const found = await look();
  isAsking = false;
  const before = service.get();
  if (found.state !== 'ready') timer = setTimeout(() => void suspect(), pauseMs);
  if (found.state === 'ready' && before.state === 'ready') return;
  service.set(
    found.state === 'ready' || before.state === 'ready' ? found : { ...found, since: before.since },
  );
  if (found.state === 'ready') void queryClient.invalidateQueries();
}

async function look(): Promise<Service> {
  const since = Date.now();
  try {
    const response = await fetch(`${base}/health/ready`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(10_000),
    });
    if (response.ok) return { state: 'ready' };
    const error = new HoldfastError({ status: response.status, ...(await response.json()) });
    return { state: 'unready', since, error };
  } catch {
    return { state: 'unreachable', since };
  }
}
