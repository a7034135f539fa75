import type { Caller, SignedInCaller } from '../kernel/index.js';
import { AppError, requireConfirmation, say } from '../kernel/index.js';
import { callerOfToken } from './authenticate.js';
import {
  hashOfTicket,
  looksLikeTicket,
  makeTicket,
  ticketLifeMs,
  ticketsAtATime,
} from './download-ticket.rules.js';
import type { AccountsNeeds } from './needs.js';
import type { SessionSettings } from './sessions.js';
import { downloadTickets, tokens } from './tables.js';

/** What a ticket is issued for. */
export interface Downloadable {
  /** The download, as the link names it. */
  object: string;
  /** Only for callers who have confirmed their password. */
  confirm?: boolean;
  /** Paths inside an archive that the link does not name. */
  filePaths?: readonly string[] | undefined;
}

export interface IssuedTicket {
  ticket: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * Issues a ticket for one download of `object`, valid once and for a minute. Also removes expired tickets of
 * all users. Throws AppError `too_many` when the caller has too many unused tickets, and `forbidden` without a
 * confirmation that the download needs.
 */
export async function issueTicket(
  { storage, clock }: AccountsNeeds,
  caller: Caller,
  { object, confirm = false, filePaths }: Downloadable,
): Promise<IssuedTicket> {
  const now = clock.now();
  if (confirm) requireConfirmation(caller, now);
  await storage.remove(downloadTickets, { expires_at: { lte: now } });
  const [open] = await storage.aggregate(downloadTickets, {
    where: { user_id: caller.userId },
    measures: { count: { count: true } },
  });
  if ((open?.count ?? 0) >= ticketsAtATime) throw tooMany();
  const ticket = makeTicket();
  const expiresAt = now + ticketLifeMs;
  await storage.insert(downloadTickets, {
    hash: hashOfTicket(ticket),
    object_hash: hashOfTicket(object),
    user_id: caller.userId,
    token_id: caller.tokenId,
    expires_at: expiresAt,
    file_paths: filePaths ? [...filePaths] : null,
  });
  return { ticket, expiresAt };
}

const tooMany = () =>
  new AppError(
    'too_many',
    say`download_tickets_too_many: You have too many unused download tickets: use them, or wait a minute.`,
    { retryAfterSeconds: ticketLifeMs / 1000 },
  );

/** Who redeemed a ticket, and the paths it was issued for, if it keeps them. */
export interface RedeemedTicket {
  caller: SignedInCaller;
  filePaths: string[] | null;
}

/**
 * Redeems a ticket. Returns the caller it was issued to, with read-only access, or null when the ticket is
 * unknown, used, expired or for another object, or its access token has ended. Of several requests with the
 * same ticket, only one gets the caller.
 */
export async function redeemTicket(
  needs: AccountsNeeds & SessionSettings,
  ticket: string,
  object: string,
): Promise<RedeemedTicket | null> {
  if (!looksLikeTicket(ticket)) return null;
  const { storage, clock } = needs;
  const now = clock.now();
  const where = { hash: hashOfTicket(ticket), object_hash: hashOfTicket(object), expires_at: { gt: now } };
  const [row] = await storage.find(downloadTickets, { where, limit: 1 });
  if (!row || (await storage.remove(downloadTickets, { id: row.id })) !== 1) return null;
  const [token] = await storage.find(tokens, { where: { id: row.token_id }, limit: 1 });
  const caller = await callerOfToken(needs, token);
  if (!caller) return null;
  // Whoever needs a confirmation was asked for it when the ticket was made.
  const { confirmedUntil: _, ...rest } = caller;
  return { caller: { ...rest, readOnly: true }, filePaths: row.file_paths };
}
