import { QueryClient } from '@tanstack/preact-query';
import { HoldfastError } from './client.js';

const noEvents = /^\/api\/(notifications|scripts|source-sets|auth|settings)(\/|$)/;
/** What no event tells of when it changes. */
const isSilent = ({ queryKey: [path] }: { queryKey: readonly unknown[] }): boolean =>
  typeof path === 'string' && noEvents.test(path);

/**
 * Events say what has changed, so nothing else is read again by time or focus. The client waits and retries by itself.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: (query) => (isSilent(query) ? 2_000 : Number.POSITIVE_INFINITY),
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: isSilent,
      refetchOnReconnect: false,
      networkMode: 'always',
      retry: false,
      throwOnError: false,
    },
    mutations: { networkMode: 'always' },
  },
});

interface Readable<T> {
  queryKey: readonly unknown[];
  queryFn: (given: { signal: AbortSignal }) => Promise<T>;
}

/**
 * Reads it now, for itself: whoever joins a reading under way gets an error if an event replaces that by a newer one.
 */
export async function readNow<T>({ queryKey, queryFn }: Readable<T>): Promise<T> {
  const data = await queryFn({ signal: new AbortController().signal });
  queryClient.setQueryData(queryKey, data);
  return data;
}

/** Reads again whatever begins with one of these addresses: visible ones now, others when they are shown. */
export function outdate(...addresses: string[]): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      addresses.some((address) => typeof path === 'string' && path.startsWith(address)),
  });
}

/** The same after something was removed: itself is not read again, as its screen may still be there for a moment. */
export function outdateRemoved(item: string, ...addresses: string[]): void {
  const isOfIt = (path: unknown) => typeof path === 'string' && path.startsWith(item);
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => isOfIt(path),
    refetchType: 'none',
  });
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      !isOfIt(path) && addresses.some((address) => typeof path === 'string' && path.startsWith(address)),
  });
}

export const isError = (error: unknown, status: number): error is HoldfastError =>
  error instanceof HoldfastError && error.status === status;
