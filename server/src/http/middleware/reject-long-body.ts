import type { Message } from '@holdfast/core/server';
import type { NextFunction, Request } from 'express';
import { HttpError } from '../errors/http-error.js';

/**
 * Wraps the `next` of a body reader to reject a body that is too long as soon as that is known; readers would
 * do so only at its end. Call the reader immediately, because this starts the data flow.
 */
export function rejectLongBody(
  req: Request,
  { bytes: most, reason }: { bytes: number; reason: Message },
  next: NextFunction,
): NextFunction {
  let bytes = 0;
  let done = false;
  const finish = (error?: unknown) => {
    if (done) return;
    done = true;
    req.off('data', count);
    next(error);
  };
  const count = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > most) finish(new HttpError(413, reason));
  };
  req.on('data', count);
  if (Number(req.get('content-length') ?? 0) > most) finish(new HttpError(413, reason));
  return finish;
}
