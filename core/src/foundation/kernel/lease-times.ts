/** How long a stored answer is repeated. */
export const rememberedMs = 24 * 3_600_000;
/** How long a call by a process that died still looks as if it were running. */
export const leaseMs = 10_000;
export const renewMs = 3_000;
