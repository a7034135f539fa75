/** How long an answer is given again. */
export const rememberedMs = 24 * 3_600_000;
/** How long a call of a process that died looks as if it ran. */
export const leaseMs = 10_000;
export const renewMs = 3_000;
