import type { RequestHandler } from 'express';

/**
 * If a body is rejected before its end, the client has this long to notice the response. Then the connection
 * is closed.
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
