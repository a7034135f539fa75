import type { Grant } from '@holdfast/contracts';
import { say } from '@holdfast/plugin-api';
import { type AppError, forbidden } from './errors.js';

/** The user who makes the request, as the access token identifies them. */
export interface Caller {
  userId: number;
  username: string;
  /** False for a narrowed token, too. */
  isAdmin: boolean;
  /** Of a limited user or a narrowed token: each list must grant what is done. */
  limits?: readonly (readonly Grant[])[] | undefined;
  /** Where a limited caller may restore to, on this machine. */
  restorePaths?: readonly string[];
  /** The token may only read. */
  readOnly: boolean;
  /** The token opens only routes with `summaryTokens`. */
  summaryOnly?: boolean;
  tokenId: number;
  /**
   * Only of a browser session: until when its password counts as confirmed, in epoch milliseconds. All other
   * callers are never asked to confirm.
   */
  confirmedUntil?: number;
}

/** A caller as the access check sees it. */
export interface SignedInCaller extends Caller {
  /** Until the password is changed, only the routes for the user's own account are open. */
  mustChangePassword: boolean;
  /** The same until a second factor is set up. */
  mustSetUpFactor: boolean;
}

/** Why this caller has to confirm the password first; null: go ahead. */
export function confirmationRefusal({ confirmedUntil }: Caller, now: number): AppError | null {
  if (confirmedUntil === undefined || confirmedUntil > now) return null;
  return forbidden(
    say`confirmation_required: Confirm your password first: POST /api/auth/confirm is valid for ten minutes.`,
  );
}

/** Throws that refusal as AppError `forbidden`. */
export function requireConfirmation(caller: Caller, now: number): void {
  const refusal = confirmationRefusal(caller, now);
  if (refusal) throw refusal;
}
