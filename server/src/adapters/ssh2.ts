import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loaded at its first use: a start does without. */
export const ssh2 = (): typeof import('ssh2') => require('ssh2');
