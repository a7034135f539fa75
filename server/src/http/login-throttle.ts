import { setTimeout as sleepFor } from 'node:timers/promises';
import { AppError, isAppError } from '@holdfast/core/server';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { networkOf } from './network-of.js';
import { Turns } from './turns.js';

/** Only wrong tries count. Each process counts for itself. */
export const loginLimits = {
  /** Wrong tries for one account from one address before the first wait; a right one starts afresh. */
  freeTries: 5,
  /** Each further wrong try makes the pair wait: 1 s, doubled each time, at most this. */
  longestWaitSeconds: 60,
  /** How long the wrong tries of a pair are remembered, from the first one on. */
  rememberSeconds: 3600,
  /** Wrong tries from one address, whatever the account, within its window; then the window must end. */
  addressTries: 30,
  addressWindowSeconds: 60,
  /** Wrong tries at one account, from wherever; then each try is slower, but none is refused for it. */
  accountTries: 20,
  accountWindowSeconds: 900,
  accountDelayMs: 1500,
  /** Logins of one address are looked at one by one; more than this waiting are refused. */
  waitingPerAddress: 50,
} as const;

export interface LoginAttempt {
  account: string;
  /** Of the peer. */
  address: string | undefined;
}

export interface LoginThrottle {
  /** Runs `logIn`; an AppError `unauthenticated` of it is a wrong try. AppError `too_many` when it's not yet time. */
  attempt<T>(who: LoginAttempt, logIn: () => Promise<T>): Promise<T>;
}

const secondsLeft = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

const tooMany = (seconds: number) =>
  new AppError('too_many', `Too many login attempts: wait ${seconds} s and try again.`, {
    retryAfterSeconds: seconds,
  });

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
  const turns = new Turns(limits.waitingPerAddress);

  /** Milliseconds until a key that used up its points gets new ones; 0 for any other. */
  const used = async (limiter: RateLimiterMemory, key: string): Promise<number> => {
    const state = await limiter.get(key);
    return state && state.consumedPoints >= limiter.points ? state.msBeforeNext : 0;
  };
  const refuseIfTooEarly = async (pair: string, address: string) => {
    const ms = Math.max(await used(waits, pair), await used(addresses, address));
    if (ms > 0) throw tooMany(secondsLeft(ms));
  };
  const noteWrong = async (pair: string, address: string, account: string) => {
    await Promise.all([addresses.penalty(address), accounts.penalty(account)]);
    const beyond = (await pairs.penalty(pair)).consumedPoints - limits.freeTries;
    if (beyond > 0) await waits.block(pair, Math.min(limits.longestWaitSeconds, 2 ** (beyond - 1)));
  };

  return {
    async attempt({ account, address: peer }, logIn) {
      const address = networkOf(peer ?? 'unknown');
      const pair = `${address} ${account}`;
      await refuseIfTooEarly(pair, address);
      const turn = turns.take(address, async () => {
        await refuseIfTooEarly(pair, address);
        if ((await used(accounts, account)) > 0) await sleep(limits.accountDelayMs);
        try {
          const result = await logIn();
          await Promise.all([pairs.delete(pair), waits.delete(pair)]);
          return result;
        } catch (error) {
          if (isAppError(error) && error.code === 'unauthenticated') await noteWrong(pair, address, account);
          throw error;
        }
      });
      return turn ?? Promise.reject(tooMany(1));
    },
  };
}
