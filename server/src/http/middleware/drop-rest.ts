import type { RequestHandler } from 'express';

/**
 * If a body is rejected before its end, the client has this long to notice the response, also if it asked for the end of
 * the connection. Then the connection is closed.
 */
export const dropRest =
  (afterMs: number): RequestHandler =>
  (req, res, next) => {
    const writeHead = res.writeHead;
    res.writeHead = (...given: unknown[]) => {
      // Else the server would reset the connection at once, and the client might lose the response.
      if (!req.complete) res.shouldKeepAlive = true;
      return Reflect.apply(writeHead, res, given);
    };
    res.once('finish', () => {
      if (req.complete) return;
      const timer = setTimeout(() => {
        if (!req.complete) req.socket.destroy();
      }, afterMs);
      for (const event of ['end', 'close'] as const) req.once(event, () => clearTimeout(timer));
    });
    next();
  };
