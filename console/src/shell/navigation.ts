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
