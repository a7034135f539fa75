/** Bounds of everything that waits for a host, in milliseconds. */
export const connectMs = 10_000;
export const silenceMs = 15_000;
/** A whole call, however busily the host talks. */
export const callMs = 60_000;
/** Most bytes of a command's output that are kept. */
export const outputBytes = 8 * 1024 * 1024;
export const mostEntries = 20_000;
export const keepAliveMs = 10_000;
