import type { Caller } from '../kernel/caller.rules.js';
import { hashOfTicket, makeTicket, ticketLifeMs, ticketsAtATime } from './download-ticket.rules.js';
import { AppError } from '../kernel/errors.js';
import { downloadTickets } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';

export interface IssuedTicket {
  ticket: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * A ticket that opens `object`, a name of one download, once and for a minute. Expired ones of anybody are removed
 * on the way. AppError `too_many` when the caller has too many that nobody used.
 */
export const issueTicket =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async (caller: Caller, object: string): Promise<IssuedTicket> => {
    const now = clock.now();
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
    });
    return { ticket, expiresAt };
  };

const tooMany = () =>
  new AppError('too_many', 'You have too many unused download tickets: use them, or wait a minute.', {
    retryAfterSeconds: ticketLifeMs / 1000,
  });
