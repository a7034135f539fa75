/** Files at paths that users name. */

export * from './foreign/foreign-files.js';
export { leaveBehind, leftBehind } from './foreign/left-behind.js';
export { isBelow, type Mount, mountAbove, mounted, parseMounts } from './foreign/mounts.js';
export { isSilent } from './foreign/prober.js';
