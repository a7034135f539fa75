import type { cacheUseCases } from '../archives/index.js';
import type { drillsUseCases } from '../drills/index.js';
import type { scriptsUseCases } from '../hooks/index.js';
import type { maintenanceUseCases } from '../maintenance/index.js';
import type { notificationsUseCases } from '../notifications/index.js';
import type { RecallRepository, repositoriesUseCases } from '../repositories/index.js';
import type { schedulesUseCases } from '../schedules/index.js';
import type { sshUseCases } from '../ssh/index.js';
import type { ReadFiles } from './borgmatic/read-files.js';

type NeedsOf<F extends (needs: never, ...rest: never[]) => unknown> = Parameters<F>[0];

/** Settings are read and written through the use cases of their rooms. */
export type ExchangeNeeds = NeedsOf<typeof cacheUseCases> &
  NeedsOf<typeof drillsUseCases> &
  NeedsOf<typeof maintenanceUseCases> &
  NeedsOf<typeof notificationsUseCases> &
  NeedsOf<typeof repositoriesUseCases> &
  NeedsOf<typeof schedulesUseCases> &
  NeedsOf<typeof scriptsUseCases> &
  NeedsOf<typeof sshUseCases> & {
    serverVersion: string;
    readFiles: ReadFiles;
    /** What other rooms do when a removed registration is taken up again. */
    recalls: readonly RecallRepository[];
  };
