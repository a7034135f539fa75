import { useLocation, useSearch } from 'wouter-preact';
import { base } from '../base.js';

/**
 * How many pages of the console were shown since it was loaded. The first one does not take the focus, unless the person
 * has just signed in: the form that had it is gone.
 */
export const navigations = { count: -1, isSignIn: false };

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
