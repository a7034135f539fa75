import { Readable } from 'node:stream';
import { driverFailure } from './driver-failure.js';
import type { Guarded } from './guarded.js';

type Work = (...words: unknown[]) => unknown;

/** Entries in batches; a failure is a DriverError. */
export function guardedEntries(work: Work, guarded: Guarded): Work {
  return async function* (...words) {
    try {
      for await (const batch of work(...words) as AsyncIterable<unknown>) {
        if (!Array.isArray(batch)) throw new Error('it listed something else than entries');
        yield batch;
      }
    } catch (error) {
      throw driverFailure(error, guarded);
    }
  };
}

/** The stream itself where it is one: an error that nobody hears yet must not end the process. */
export function guardedFile(work: Work, guarded: Guarded): Work {
  return (...words) => {
    try {
      const stream = work(...words);
      if (!(stream instanceof Readable)) throw new Error('it gave no stream of the file');
      stream.on('error', () => undefined);
      return stream;
    } catch (error) {
      const failed = new Readable({ read: () => undefined });
      failed.on('error', () => undefined);
      return failed.destroy(driverFailure(error, guarded));
    }
  };
}
