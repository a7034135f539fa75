/** Timeouts for everything that waits for a host, in milliseconds. */
export const connectMs = 10_000;
export const silenceMs = 15_000;
/** Timeout of a whole call, even if the host keeps sending data. */
export const callMs = 60_000;
/** Maximum output of a command, in bytes. */
export const outputBytes = 8 * 1024 * 1024;
export const mostEntries = 20_000;
export const keepAliveMs = 10_000;
