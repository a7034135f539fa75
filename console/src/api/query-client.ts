import { QueryClient } from '@tanstack/preact-query';
import { HoldfastError } from './client.js';

const noEvents = /^\/api\/(notifications|scripts|source-sets|auth|settings)(\/|$)/;
/** Queries whose changes are not announced by events. */
const isSilent = ({ queryKey: [path] }: { queryKey: readonly unknown[] }): boolean =>
  typeof path === 'string' && noEvents.test(path);

/**
 * Events announce changes, so nothing else is refetched by time or focus. The client waits and retries
 * itself.
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

/** Reads it now in a separate request: joining a pending one would fail if an event replaces that. */
export async function readNow<T>({ queryKey, queryFn }: Readable<T>): Promise<T> {
  const data = await queryFn({ signal: new AbortController().signal });
  queryClient.setQueryData(queryKey, data);
  return data;
}

/** Refetches all queries that begin with one of these addresses: visible ones now, others when shown. */
export function outdate(...addresses: string[]): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      addresses.some((address) => typeof path === 'string' && path.startsWith(address)),
  });
}

/**
 * The same after an item was removed. Does not refetch the item itself, whose screen may still be visible for
 * a moment.
 */
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
