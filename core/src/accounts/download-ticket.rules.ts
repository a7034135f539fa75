import { createHash, randomBytes } from 'node:crypto';

const prefix = 'hft_';
const form = /^hft_[A-Za-z0-9_-]{43}$/;

/** How long a ticket may wait for its download. */
export const ticketLifeMs = 60_000;

/** Unused tickets that one user may have at a time: more are a program gone wild. */
export const ticketsAtATime = 1000;

/** An opaque ticket for one download: 256 random bits. Only its hash is stored. */
export const makeTicket = (): string => prefix + randomBytes(32).toString('base64url');

/** False for what can't be a ticket of ours: it needs no look into the storage. */
export const looksLikeTicket = (text: string): boolean => form.test(text);

/** What is stored of a ticket, and of the object that it opens: names of objects may be long. */
export const hashOfTicket = (text: string): string => createHash('sha256').update(text).digest('hex');
