import type { Protection } from './protection.rules.js';

/**
 * Whether a monitor must be told: late, damaged, or unknown although a backup was due. A repository that does not open
 * protects nothing; one of which nothing is promised, or whose first backup is not due yet, is no fault.
 */
export function needsAttention(
  { state, damaged, promise }: Protection,
  repository: { created_at: number; open_error: string | null; newest: number | null },
  now: number,
): boolean {
  if (state === 'late' || damaged || repository.open_error !== null) return true;
  if (state === 'protected' || promise === null) return false;
  return now > (repository.newest ?? repository.created_at) + promise.ageMs;
}
