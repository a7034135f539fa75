export type AbortReason = 'cancelled' | 'shutdown' | 'lost';

const messages: Record<AbortReason, string> = {
  cancelled: 'The job was cancelled.',
  shutdown: 'Holdfast is stopping.',
  lost: 'The job no longer belongs to this instance.',
};

/** The reason on the abort signal of a job. */
export class JobAborted extends Error {
  override readonly name = 'AbortError';
  constructor(readonly reason: AbortReason) {
    super(messages[reason]);
  }
}
