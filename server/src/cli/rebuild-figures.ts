import { rebuildFigures } from '@holdfast/core/server';
import { configurationOfProcess } from './environment.js';
import { withStorage } from './with-storage.js';

/** Recounts all jobs for the metrics, after the database was changed or repaired manually. */
export const rebuildFiguresCommand = (): Promise<number> =>
  withStorage(configurationOfProcess(), async (storage) => {
    const counted = await storage.transaction(rebuildFigures);
    console.log(`Counted ${counted} finished jobs.`);
    return 0;
  });
