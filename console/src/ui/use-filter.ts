import { useLocation, useSearch } from 'wouter-preact';

export interface Filter {
  /** '': not set. */
  value(name: string): string;
  set(name: string, value: string): void;
  clear(): void;
}

/** A filter stored in the address. */
export function useFilter(): Filter {
  const [address, navigate] = useLocation();
  useSearch();
  const filter = new URLSearchParams(location.search);
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
