import { createRequire } from 'node:module';

/** The release of this software. */
export const { version: serverVersion } = createRequire(import.meta.url)('../package.json') as {
  version: string;
};
