export type AbortWhy = 'cancelled' | 'shutdown' | 'lost';

const messages: Record<AbortWhy, string> = {
  cancelled: 'The job was cancelled.',
  shutdown: 'The service is being stopped.',
  lost: 'The job no longer belongs to this instance.',
};

/** The reason on the abort signal of a job. */
export class JobAborted extends Error {
  override readonly name = 'AbortError';
  constructor(readonly why: AbortWhy) {
    super(messages[why]);
  }
}
