import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

const acceptable = /^[\w.:+/=@-]{1,128}$/;

/**
 * Uses the request's `X-Request-Id` if it is well formed, otherwise generates one, and returns it in the
 * response.
 */
export const requestId: RequestHandler = (req, res, next) => {
  const given = req.get('x-request-id');
  const id = given !== undefined && acceptable.test(given) ? given : randomUUID();
  res.locals.requestId = id;
  res.setHeader('X-Request-Id', id);
  next();
};

export const requestIdOf = (res: Response): string => String(res.locals.requestId);
