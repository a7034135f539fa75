import type { NextFunction, Request } from 'express';
import { HttpError } from './http-error.js';

/**
 * The `next` for a reader of bodies, which would refuse one that is too long only when it came to its end, if ever:
 * this refuses it as soon as that is known. Call the reader at once: reading begins here.
 */
export function refuseLongBody(
  req: Request,
  { bytes: most, detail }: { bytes: number; detail: string },
  next: NextFunction,
): NextFunction {
  let bytes = 0;
  let told = false;
  const tell = (error?: unknown) => {
    if (told) return;
    told = true;
    req.off('data', count);
    next(error);
  };
  const count = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > most) tell(new HttpError(413, detail));
  };
  req.on('data', count);
  if (Number(req.get('content-length') ?? 0) > most) tell(new HttpError(413, detail));
  return tell;
}
