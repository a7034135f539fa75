import type { Log } from '@holdfast/plugin-api';
import type { RequestHandler } from 'express';
import { clientAddress } from './client-address.js';
import { loggedUrl } from './logged-url.js';
import { requestIdOf } from './request-id.js';

/** Logs one line per request when its response is complete or aborted. Never logs bodies or headers. */
export const accessLog =
  (log: Log): RequestHandler =>
  (req, res, next) => {
    const start = performance.now();
    const address = clientAddress(req);
    res.once('close', () => {
      log.info(res.writableFinished ? 'request' : 'request aborted', {
        request_id: requestIdOf(res),
        method: req.method,
        url: loggedUrl(req),
        status: res.statusCode,
        milliseconds: Math.round(performance.now() - start),
        address,
      });
    });
    next();
  };
