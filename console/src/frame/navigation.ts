import { useLocation, useSearch } from 'wouter-preact';
import { base } from '../base.js';

/** How many pages of the console were shown since it was loaded: the first one does not take the focus. */
export const navigations = { count: -1 };

/** The present address, still encoded: the router decodes a part of it, and names may hold a `%`. */
export function useAddress(): string {
  useLocation();
  return location.pathname.slice(base.length) || '/';
}

/** What follows the `?` of the present address. */
export function useParameters(): URLSearchParams {
  useSearch();
  return new URLSearchParams(location.search);
}
