import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { BrowserSessionRow } from './tables.js';

/** How long the access tokens of a browser session live; shorter if all logins are. */
export const browserTokenMinutes = 15;

const hourMs = 3_600_000;
/** How long a browser session lives after its last refresh. */
export const sessionLifeMs = ({ remember }: { remember: boolean }): number =>
  remember ? 30 * 24 * hourMs : 12 * hourMs;

/**
 * After a rotation, the old and the new refresh token give the same answer for this long: requests of several
 * tabs cross each other, and answers get lost.
 */
export const graceMs = 30_000;

/** How long a confirmed password opens what can't be undone. */
export const confirmedMs = 10 * 60_000;

const form = /^hfs_([A-Za-z0-9_-]{24})[A-Za-z0-9_-]{43}$/;

/** 144 random bits that stay the same for a whole session, and 256 that change with each rotation. */
export const makeRefreshToken = (): string =>
  `hfs_${randomBytes(18).toString('base64url')}${randomBytes(32).toString('base64url')}`;

/** The part of a refresh token that identifies its session; null for text that can't be one. */
export const handleOf = (text: string): string | null => form.exec(text)?.[1] ?? null;

export const hashOfRefreshToken = (text: string): string => createHash('sha256').update(text).digest('hex');

export const makeSalt = (): string => randomBytes(32).toString('base64url');

/**
 * The refresh token that replaces `token`. Only who has that one can make it, and makes the same each time: so
 * a refresh whose answer was lost can be repeated, although only hashes are stored.
 */
export function successorOf(token: string, salt: string): string {
  const secret = createHmac('sha256', salt).update(token).digest('base64url');
  return `hfs_${handleOf(token)}${secret}`;
}

/**
 * `rotate`: the token is replaced. `keep`: it has just replaced another one and stays. `repeat`: it was replaced just
 * now, and is answered the same. `late`: it was replaced, and nobody has used the answer, which may be lost or somebody
 * else's. `reused`: a copy is in use.
 */
export type RefreshVerdict = 'rotate' | 'keep' | 'repeat' | 'late' | 'reused';

export function judgeRefresh(row: BrowserSessionRow, hash: string, now: number): RefreshVerdict {
  const isRecent = Math.abs(now - row.rotated_at) < graceMs;
  if (hash === row.current_hash) return isRecent ? 'keep' : 'rotate';
  if (hash !== row.previous_hash) return 'reused';
  if (isRecent) return 'repeat';
  return row.received ? 'reused' : 'late';
}
