import type { StorageSession } from '@holdfast/plugin-api';
import { invalid, isoTime, readSetting, say, writeSetting } from '../../../foundation/kernel/index.js';
import { cronRule } from './cron.rules.js';

const key = 'schedules_paused_until';

/** Until when all schedules are paused; may have passed. Null when they never were. */
export const pauseOfAll = async (session: Pick<StorageSession, 'find'>): Promise<number | null> =>
  (await readSetting(session, key)) as number | null;

/** `until` 0: not paused. */
export const writePauseOfAll = (session: StorageSession, until: number): Promise<void> =>
  writeSetting(session, key, until);

const longestMs = 366 * 24 * 3_600_000;

/** The end of a pause as given; one that is stored may be sent back as it was shown. Throws AppError `invalid`. */
export function pauseEnd(given: string | null, { stored, now }: { stored: number | null; now: number }) {
  if (given === null) return null;
  const until = Date.parse(given);
  if (until === stored) return until;
  if (until <= now) throw invalid(say`pause_in_past: A pause must end in the future.`);
  if (until > now + longestMs) throw invalid(say`pause_too_long: A pause can last at most a year.`);
  return until;
}

/** The end of the longer pause that has not ended; null without one. */
export function pauseAt(now: number, ...ends: readonly (number | null)[]): number | null {
  const until = Math.max(...ends.map((end) => end ?? 0));
  return until > now ? until : null;
}

/** The first planned instant that is not in the pause. */
export function afterPause(
  row: { cron_expression: string; timezone: string; next_run: number | null },
  until: number | null,
): number | null {
  if (row.next_run === null || until === null || row.next_run >= until) return row.next_run;
  return cronRule(row)?.next(until - 1) ?? null;
}

/** As a field of an answer: null when it has ended. */
export const shownPause = (until: number | null, now: number): string | null => isoTime(pauseAt(now, until));
