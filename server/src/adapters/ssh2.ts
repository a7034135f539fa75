import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loaded on first use, so that it does not slow down the start. */
export const ssh2 = (): typeof import('ssh2') => require('ssh2');
