/** How far the clocks of other machines may be ahead, in milliseconds. */
export const clockToleranceMs = 10 * 60_000;
