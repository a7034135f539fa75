import { AppError, type Message, say } from '@holdfast/core/server';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { AppLimits } from '../limits.js';
import { type Handler, isCostly, type Wrap } from '../routers/route-handlers.js';
import { callerOf } from '../sign-in/auth.js';

const retryOwnSeconds = 5;
const retryOthersSeconds = 10;

/** Rate limit for expensive calls, per user and minute. Each process counts separately. */
export function boundExpensiveCalls({
  expensiveCallsPerMinute: points,
}: Pick<AppLimits, 'expensiveCallsPerMinute'>): Wrap {
  const calls = new RateLimiterMemory({ points, duration: 60 });
  const count = async (userId: number) => {
    await calls.consume(String(userId)).catch((state: unknown) => {
      if (!(state instanceof RateLimiterRes)) throw state;
      const retryAfterSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
      throw tooMany(
        say`expensive_calls_too_many: You made ${{ limit: points }} expensive calls within a minute. Wait ${{ seconds: retryAfterSeconds }} s.`,
        { retryAfterSeconds },
      );
    });
  };
  return (handler, { metadata }) => {
    if (metadata.cost !== 'high' && !metadata.costly) return handler;
    return async (input) => {
      if (metadata.cost === 'high' || isCostly(input, metadata)) await count(callerOf(input.req).userId);
      return handler(input);
    };
  };
}

type DownloadLimits = Pick<AppLimits, 'downloads' | 'downloadsOfUser' | 'stalledDownloadSeconds'>;

/** Limits concurrent downloads per user and in total. Aborts stalled downloads. */
export function boundDownloads({
  downloads: most,
  downloadsOfUser,
  stalledDownloadSeconds,
}: DownloadLimits): Wrap {
  const running = new Map<number, number>();
  let all = 0;
  const enter = (userId: number, res: Response) => {
    const own = running.get(userId) ?? 0;
    if (own >= downloadsOfUser) {
      const text = say`own_downloads_too_many: You have ${{ count: own }} running downloads. Wait until one of them has finished.`;
      throw tooMany(text, { retryAfterSeconds: retryOwnSeconds });
    }
    if (all >= most) {
      throw new AppError(
        'unavailable',
        say`downloads_too_many: Too many downloads are running. Try again later.`,
        { retryAfterSeconds: retryOthersSeconds },
      );
    }
    all += 1;
    running.set(userId, own + 1);
    res.once('close', () => {
      all -= 1;
      const left = (running.get(userId) ?? 1) - 1;
      if (left > 0) running.set(userId, left);
      else running.delete(userId);
    });
  };
  return (handler, { metadata: { download, access } }): Handler => {
    if (download === undefined || access.who === 'public' || isFollowed(download)) return handler;
    return async (input) => {
      // A closed response emits no further `close` event.
      if (!input.res.closed) {
        enter(callerOf(input.req).userId, input.res);
        cutWhenStalled(input.res, stalledDownloadSeconds * 1000);
      }
      return handler(input);
    };
  };
}

/** Event streams never end and have their own limits. */
const isFollowed = ({ contentType }: { contentType: string }) => contentType === 'text/event-stream';

/** Closes an idle connection only if data is waiting for the client; otherwise the source is slow. */
function cutWhenStalled(res: Response, ms: number): void {
  res.setTimeout(ms, () => {
    if (res.writableLength > 0 || (res.socket?.writableLength ?? 0) > 0) res.destroy();
    else res.setTimeout(ms);
  });
}

const tooMany = (message: Message, options: { retryAfterSeconds: number }) =>
  new AppError('too_many', message, options);
