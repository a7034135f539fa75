import { rebuildFigures } from '@holdfast/core/server';
import { configurationOfProcess } from './environment.js';
import { withStorage } from './with-storage.js';

/** Counts all jobs anew for the metrics: for a database that was changed or mended by hand. */
export const rebuildFiguresCommand = (): Promise<number> =>
  withStorage(configurationOfProcess(), async (storage) => {
    const counted = await storage.transaction(rebuildFigures);
    console.log(`Counted ${counted} ended jobs.`);
    return 0;
  });
