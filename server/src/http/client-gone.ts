import type { Response } from 'express';

/** Aborted when the client goes away before its answer is complete: work that only it waits for can stop. */
export function clientGone(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
