import type { Protection } from '../monitoring/protection.rules.js';

/** What keeps a repository from being opened until somebody does something about it. */
export const openErrorKinds = [
  'passphrase_wrong',
  'key_missing',
  'repository_missing',
  'not_a_repository',
  'other_repository',
] as const;
export type OpenErrorKind = (typeof openErrorKinds)[number];

/** Archives that nobody can open protect nobody. */
export function judgeOpening(
  judged: Protection,
  { open_error: error, open_error_at: at }: { open_error: string | null; open_error_at: number | null },
): Protection {
  if (error === null) return judged;
  const since = at === null ? '' : ` since ${new Date(at).toISOString()}`;
  const reasons = [`The repository does not open${since}: ${error}`, ...judged.reasons];
  return { ...judged, reasons, state: judged.state === 'late' ? 'late' : 'unknown' };
}
