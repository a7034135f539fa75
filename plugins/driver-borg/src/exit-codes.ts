export type Outcome = 'ok' | 'warnings' | 'failed';

/**
 * 1 is the general warning, but also Python's code when the tool crashes before it can report; 100 to 125 are the
 * specific warnings of `BORG_EXIT_CODES=modern`. Higher codes come from a launcher (126, 127) or a signal; null means
 * a signal that the tool did not catch.
 */
export function outcomeOf({ code, log }: { code: number | null; log: { crash: string | null } }): Outcome {
  if (code === 0) return 'ok';
  if (code === null || log.crash !== null) return 'failed';
  return code === 1 || (code >= 100 && code <= 125) ? 'warnings' : 'failed';
}
