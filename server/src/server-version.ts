import { createRequire } from 'node:module';

/** The version of this software. */
export const { version: serverVersion } = createRequire(import.meta.url)('../package.json') as {
  version: string;
};
