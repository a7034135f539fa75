import type { Protection } from './protection.rules.js';

/**
 * Whether a monitor must be alerted: late, damaged, or unknown although a backup was due. A repository that
 * cannot be opened protects nothing. One without an age limit, or before its first due backup, is fine.
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
