/** Other machines' clocks may be ahead by so much, in milliseconds. */
export const clockToleranceMs = 10 * 60_000;
