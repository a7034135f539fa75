import type { Response } from 'express';

/** Aborted if the client disconnects before its response is complete, so that its work can stop. */
export function clientGone(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
