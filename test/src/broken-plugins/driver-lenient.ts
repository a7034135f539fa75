import { Readable } from 'node:stream';
import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Ends a file that can't be read as if that were all of it. */
export const lenientDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  readFile(target, input, options) {
    async function* pieces() {
      try {
        yield* driver.readFile(target, input, options);
      } catch {
        // What was read so far has to do.
      }
    }
    return Readable.from(pieces(), { objectMode: false });
  },
});
