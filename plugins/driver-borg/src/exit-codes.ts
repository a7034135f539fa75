export type Outcome = 'ok' | 'warnings' | 'failed';

/**
 * 1 is the general warning, but also what Python ends with when the tool breaks before it can report; 100 to
 * 125 are the finer warnings of `BORG_EXIT_CODES=modern`. Above are a starter's own codes (126, 127) and
 * ends by a signal; null is an end by a signal that the tool did not catch.
 */
export function outcomeOf({ code, log }: { code: number | null; log: { crash: string | null } }): Outcome {
  if (code === 0) return 'ok';
  if (code === null || log.crash !== null) return 'failed';
  return code === 1 || (code >= 100 && code <= 125) ? 'warnings' : 'failed';
}
