import { useLocation, useSearch } from 'wouter-preact';
import { base } from '../base.js';

/**
 * Number of pages shown since the console was loaded. The first one does not take the focus, unless the user
 * has just signed in, because that form is gone.
 */
export const navigations = { count: -1, isSignIn: false };

/** The present address, still encoded: the router decodes a part of it, and names may hold a `%`. */
export function useAddress(): string {
  useLocation();
  return location.pathname.slice(base.length) || '/';
}

/** The query of the current address. */
export function useParameters(): URLSearchParams {
  useSearch();
  return new URLSearchParams(location.search);
}

export interface Filter {
  /** '': not set. */
  value(name: string): string;
  set(name: string, value: string): void;
  clear(): void;
}

/** A filter stored in the address. */
export function useFilter(): Filter {
  const [address, navigate] = useLocation();
  const filter = useParameters();
  const go = (next: URLSearchParams) =>
    navigate(next.size > 0 ? `${address}?${next}` : address, { replace: true });
  return {
    value: (name) => filter.get(name) ?? '',
    set: (name, text) => {
      const next = new URLSearchParams(filter);
      if (text) next.set(name, text);
      else next.delete(name);
      go(next);
    },
    clear: () => go(new URLSearchParams()),
  };
}
