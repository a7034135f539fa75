import { setTimeout as sleepFor } from 'node:timers/promises';
import { AppError, isAppError, say } from '@holdfast/core/server';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { networkOf } from './network-of.js';
import { Turns } from './turns.js';

/** Only failed attempts count. Each process counts separately. */
export const loginLimits = {
  /**
   * Failed attempts for one account from one address before the first wait. A successful login resets the
   * count.
   */
  freeTries: 5,
  /** Each further failed attempt makes the pair wait: 1 s, doubled each time, at most this. */
  longestWaitSeconds: 60,
  /** How long the failed attempts of a pair count, from the first one. */
  rememberSeconds: 3600,
  /**
   * Failed attempts from one address per window, for all accounts. Then the address must wait for the next
   * window.
   */
  addressTries: 30,
  addressWindowSeconds: 60,
  /** Failed attempts for one account, from all addresses. Then each attempt is delayed, but not rejected. */
  accountTries: 20,
  accountWindowSeconds: 900,
  accountDelayMs: 1500,
  /**
   * Logins from one address are processed one by one. If more than this are waiting, further ones are
   * rejected.
   */
  waitingPerAddress: 50,
  /** Visits to sign-in providers that begin or end, from one address per window: each may contact the provider. */
  visits: 60,
} as const;

interface LoginAttempt {
  account: string;
  /** Address of the peer. */
  address: string | undefined;
  /** After too many failed attempts for the account it is rejected, too: codes are short. */
  strict?: boolean;
}

export interface LoginThrottle {
  /**
   * Runs `logIn`, or anything else that compares a password or a code. If it rejects with AppError `unauthenticated`, or
   * with a sentence in `wrong`, that is a failed attempt.
   * AppError `too_many` if the caller must wait.
   */
  attempt<T>(who: LoginAttempt, logIn: () => Promise<T>): Promise<T>;
  /** For a sign-in with a provider. It waits for no other, because a provider may be slow. */
  visit(address: string | undefined): Promise<void>;
}

const secondsLeft = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

const tooMany = (seconds: number) =>
  new AppError(
    'too_many',
    say`login_attempts_too_many: Too many login attempts. Wait ${{ seconds }} s and try again.`,
    { retryAfterSeconds: seconds },
  );

const wrong = [
  'password_wrong',
  'current_password_wrong',
  'passkey_wrong',
  'passkey_copied',
  'current_code_wrong',
];

const isWrong = (error: unknown): boolean =>
  isAppError(error) &&
  !error.secondFactor &&
  (error.code === 'unauthenticated' || wrong.includes(error.reason.code));

export function makeLoginThrottle(sleep: (ms: number) => Promise<unknown> = sleepFor): LoginThrottle {
  const limits = loginLimits;
  const pairs = new RateLimiterMemory({ points: limits.freeTries, duration: limits.rememberSeconds });
  const waits = new RateLimiterMemory({ points: 1, duration: limits.longestWaitSeconds });
  const addresses = new RateLimiterMemory({
    points: limits.addressTries,
    duration: limits.addressWindowSeconds,
  });
  const accounts = new RateLimiterMemory({
    points: limits.accountTries,
    duration: limits.accountWindowSeconds,
  });
  const visits = new RateLimiterMemory({ points: limits.visits, duration: limits.addressWindowSeconds });
  const turns = new Turns(limits.waitingPerAddress);

  /** Milliseconds until an exhausted key gets new points; 0 for other keys. */
  const used = async (limiter: RateLimiterMemory, key: string): Promise<number> => {
    const state = await limiter.get(key);
    return state && state.consumedPoints >= limiter.points ? state.msBeforeNext : 0;
  };
  const requireNoWait = async (pair: string, address: string) => {
    const ms = Math.max(await used(waits, pair), await used(addresses, address));
    if (ms > 0) throw tooMany(secondsLeft(ms));
  };
  const countFailure = async (pair: string, address: string, account: string) => {
    await Promise.all([addresses.penalty(address), accounts.penalty(account)]);
    const beyond = (await pairs.penalty(pair)).consumedPoints - limits.freeTries;
    if (beyond > 0) await waits.block(pair, Math.min(limits.longestWaitSeconds, 2 ** (beyond - 1)));
  };

  const forget = (pair: string) => Promise.all([pairs.delete(pair), waits.delete(pair)]);

  return {
    async visit(peer) {
      const address = networkOf(peer ?? 'unknown');
      const { consumedPoints, msBeforeNext } = await visits.penalty(address);
      if (consumedPoints > limits.visits) throw tooMany(secondsLeft(msBeforeNext));
    },
    async attempt({ account, address: peer, strict = false }, logIn) {
      const address = networkOf(peer ?? 'unknown');
      const pair = `${address} ${account}`;
      await requireNoWait(pair, address);
      const turn = turns.take(address, async () => {
        await requireNoWait(pair, address);
        const tired = await used(accounts, account);
        if (tired > 0 && strict) throw tooMany(secondsLeft(tired));
        if (tired > 0) await sleep(limits.accountDelayMs);
        try {
          const result = await logIn();
          await forget(pair);
          return result;
        } catch (error) {
          if (isWrong(error)) await countFailure(pair, address, account);
          else if (isAppError(error) && error.secondFactor) await forget(pair);
          throw error;
        }
      });
      return turn ?? Promise.reject(tooMany(1));
    },
  };
}
