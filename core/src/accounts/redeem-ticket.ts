import type { SignedInCaller } from '../kernel/caller.rules.js';
import { hashOfTicket, looksLikeTicket } from './download-ticket.rules.js';
import { downloadTickets, tokens } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { callerOfToken } from './caller-of-token.js';

/**
 * Uses a ticket up: the caller who asked for it, who may only read; null when the ticket is unknown, used, expired or
 * for another object, or when the access token behind it ended. Of any number of requests with it one gets the caller.
 */
export const redeemTicket =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async (ticket: string, object: string): Promise<SignedInCaller | null> => {
    if (!looksLikeTicket(ticket)) return null;
    const now = clock.now();
    const where = { hash: hashOfTicket(ticket), object_hash: hashOfTicket(object), expires_at: { gt: now } };
    const [row] = await storage.find(downloadTickets, { where, limit: 1 });
    if (!row || (await storage.remove(downloadTickets, { id: row.id })) !== 1) return null;
    const [token] = await storage.find(tokens, { where: { id: row.token_id }, limit: 1 });
    const caller = await callerOfToken(storage, token, now);
    return caller && { ...caller, readOnly: true };
  };
