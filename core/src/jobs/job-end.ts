import type { JobProgress } from './job.rules.js';
import { isAppError, isDriverError, isStoreError } from '../kernel/errors.js';
import type { Redactor } from '../ports/services.js';
import type { AbortWhy } from '../kernel/job-aborted.js';
import type { JobEnd, JobResult } from './job-contract.js';
import { plainText } from './job-log-line.js';

/** How a run ended, before it is written. */
export interface Verdict extends JobEnd {
  progress: Partial<JobProgress>;
}

const longestText = 2_000;

export const cancelled: Verdict = ended('cancelled', 'Cancelled by a user.');
export const interrupted: Verdict = {
  ...ended('failed', 'Interrupted: the service was stopped while the job ran. Start it again.'),
  outcome: { interrupted: true },
};

/** True for a job that did not end by itself: the service was stopped while it ran. */
export const wasInterrupted = ({ outcome }: Pick<JobEnd, 'outcome'>): boolean =>
  outcome?.interrupted === true;

export function ended(status: JobEnd['status'], error: string | null): Verdict {
  return { status, error, outcome: null, progress: {} };
}

/** What the handler said; a failure after a wish to cancel is the cancellation. */
export function verdictOf(result: JobResult, why: AbortWhy | null, redactor: Redactor): Verdict {
  const { status, outcome = null, progress = {} } = result;
  if (status === 'failed' && why === 'cancelled') return { ...cancelled, outcome, progress };
  const error = result.error ?? (status === 'failed' ? 'The job failed; its log has the details.' : null);
  return { status, error: error && shortText(error, redactor), outcome, progress };
}

/** A text fit for people of what a handler threw, or null when the error is none of ours. */
export function failureText(error: unknown, redactor: Redactor): string | null {
  if (isAppError(error)) return shortText(error.detail, redactor);
  if (isDriverError(error)) return shortText(error.message, redactor);
  if (isStoreError(error)) return 'The storage of the service failed while the job ran. Start it again.';
  return null;
}

function shortText(text: string, redactor: Redactor): string {
  const safe = redactor.redact(text);
  return plainText(safe.length <= longestText ? safe : `${safe.slice(0, longestText)}…`);
}
