import type { RequestHandler } from 'express';

/**
 * A body may be refused before its end: then the client has so long to notice the answer. What it sends on is not
 * worth more of the line.
 */
export const dropRest =
  (afterMs: number): RequestHandler =>
  (req, res, next) => {
    res.once('finish', () => {
      if (req.complete) return;
      const timer = setTimeout(() => {
        if (!req.complete) req.socket.destroy();
      }, afterMs);
      for (const event of ['end', 'close'] as const) req.once(event, () => clearTimeout(timer));
    });
    next();
  };
