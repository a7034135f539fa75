import { ownClock } from '../../../scripts/services/faketime.mjs';

/** The environment of a process whose wall clock goes ahead. */
export const clockAhead = (seconds: number): Record<string, string> => ownClock({ FAKETIME: `+${seconds}s` });
