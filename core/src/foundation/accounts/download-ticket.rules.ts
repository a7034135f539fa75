import { createHash, randomBytes } from 'node:crypto';

const prefix = 'hft_';
const form = /^hft_[A-Za-z0-9_-]{43}$/;

/** Lifetime of an unused ticket. */
export const ticketLifeMs = 60_000;

/** Maximum number of unused tickets per user. More indicate a runaway client. */
export const ticketsAtATime = 1000;

/** An opaque ticket for one download, with 256 random bits. Only its hash is stored. */
export const makeTicket = (): string => prefix + randomBytes(32).toString('base64url');

/** False for text that can't be a ticket, which saves a storage lookup. */
export const looksLikeTicket = (text: string): boolean => form.test(text);

/** The stored form of a ticket, and of the object it opens, whose name may be long. */
export const hashOfTicket = (text: string): string => createHash('sha256').update(text).digest('hex');
