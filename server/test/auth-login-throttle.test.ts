import { AppError, invalid, say } from '@holdfast/core/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loginLimits, makeLoginThrottle } from '../src/http/sign-in/login-throttle.js';
import { networkOf } from '../src/http/sign-in/network-of.js';

const wrong = async () => {
  throw new AppError('unauthenticated', say`wrong: wrong`);
};
const right = async () => 'session';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function bench() {
  const slept: number[] = [];
  const throttle = makeLoginThrottle(async (ms) => void slept.push(ms));
  /** `right`, `wrong`, or the seconds to wait. */
  const attempt = async (account: string, address: string, logIn: () => Promise<unknown>) => {
    try {
      await throttle.attempt({ account, address }, logIn);
      return 'right';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.retryAfterSeconds ?? 'wrong';
    }
  };
  return { attempt, slept };
}

describe('the login throttle', () => {
  it('doubles the wait with each wrong try after the free ones, to a minute', async () => {
    const { attempt } = bench();
    const waits: unknown[] = [];
    for (let n = 0; n < loginLimits.freeTries; n += 1) {
      expect(await attempt('admin', '192.0.2.1', wrong)).toBe('wrong');
    }
    for (let n = 0; n < 8; n += 1) {
      expect(await attempt('admin', '192.0.2.1', wrong)).toBe('wrong');
      const wait = await attempt('admin', '192.0.2.1', right);
      waits.push(wait);
      vi.advanceTimersByTime(Number(wait) * 1000);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('neither counts refused tries nor extends their wait, and resets after a login', async () => {
    const { attempt } = bench();
    for (let n = 0; n < 6; n += 1) await attempt('admin', '192.0.2.1', wrong);
    for (let n = 0; n < 100; n += 1) expect(await attempt('admin', '192.0.2.1', wrong)).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(await attempt('admin', '192.0.2.1', right)).toBe('right');
    for (let n = 0; n < loginLimits.freeTries; n += 1) {
      expect(await attempt('admin', '192.0.2.1', wrong)).toBe('wrong');
    }
  });

  it('lets a right password in from another address, slower, during an attack', async () => {
    const { attempt, slept } = bench();
    for (let n = 0; n < loginLimits.accountTries; n += 1) {
      expect(await attempt('admin', `198.51.100.${n}`, wrong)).toBe('wrong');
    }
    expect(slept).toEqual([]);
    expect(await attempt('admin', '192.0.2.1', right)).toBe('right');
    expect(slept).toEqual([loginLimits.accountDelayMs]);
    expect(await attempt('mira', '192.0.2.1', right)).toBe('right');
    expect(slept).toHaveLength(1);
  });

  it('bounds the wrong tries of one address over all accounts', async () => {
    const { attempt } = bench();
    for (let n = 0; n < loginLimits.addressTries; n += 1) {
      expect(await attempt(`user ${n}`, '192.0.2.1', wrong)).toBe('wrong');
    }
    expect(await attempt('another', '192.0.2.1', right)).toBe(loginLimits.addressWindowSeconds);
    expect(await attempt('another', '192.0.2.2', right)).toBe('right');
    vi.advanceTimersByTime(loginLimits.addressWindowSeconds * 1000);
    expect(await attempt('another', '192.0.2.1', right)).toBe('right');
  });

  it('allows concurrent tries no more than consecutive ones', async () => {
    const { attempt } = bench();
    const results = await Promise.all(Array.from({ length: 40 }, () => attempt('admin', '192.0.2.1', wrong)));
    expect(results.filter((result) => result === 'wrong')).toHaveLength(loginLimits.freeTries + 1);
  });

  it('allows many concurrent right logins and refuses those beyond the queue', async () => {
    const { attempt } = bench();
    const line = loginLimits.waitingPerAddress;
    const results = await Promise.all(
      Array.from({ length: line + 3 }, () => attempt('admin', '192.0.2.1', right)),
    );
    expect(results).toEqual([...Array(line).fill('right'), 1, 1, 1]);
  });

  it('counts wrong passwords in the same way when they are asked for again', async () => {
    const { attempt } = bench();
    const wrongAgain = async () => {
      throw invalid(say`password_wrong: The password is wrong.`);
    };
    for (let n = 0; n < 6; n += 1) expect(await attempt('admin', '192.0.2.1', wrongAgain)).toBe('wrong');
    expect(await attempt('admin', '192.0.2.1', right)).toBe(1);
  });

  it('does not count failures of the service itself', async () => {
    const { attempt } = bench();
    const broken = () => Promise.reject(new TypeError('database'));
    for (let n = 0; n < 10; n += 1)
      await expect(attempt('admin', '192.0.2.1', broken)).rejects.toThrow(TypeError);
    expect(await attempt('admin', '192.0.2.1', right)).toBe('right');
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network));
});
