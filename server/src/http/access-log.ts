import type { Log } from '@holdfast/plugin-api';
import type { RequestHandler } from 'express';
import { clientAddress } from './client-address.js';
import { loggedUrl } from './logged-url.js';
import { requestIdOf } from './request-id.js';

/**
 * One line for each request once its answer is through, or broken off. Bodies and headers are never logged.
 */
export const accessLog =
  (log: Log): RequestHandler =>
  (req, res, next) => {
    const start = performance.now();
    const address = clientAddress(req);
    res.once('close', () => {
      log.info(res.writableFinished ? 'request' : 'request broken off', {
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
