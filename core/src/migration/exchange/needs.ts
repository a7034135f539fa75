import type { cacheUseCases } from '../../backup/archives/index.js';
import type { drillsUseCases } from '../../backup/drills/index.js';
import type { scriptsUseCases } from '../../backup/hooks/index.js';
import type { maintenanceUseCases } from '../../backup/maintenance/index.js';
import type { RecallRepository, repositoriesUseCases } from '../../backup/repositories/index.js';
import type { schedulesUseCases } from '../../backup/schedules/index.js';
import type { sshUseCases } from '../../backup/ssh/index.js';
import type { IsolatedImporter } from '../../engine/plugins/index.js';
import type { notificationsUseCases } from '../../insight/notifications/index.js';

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
    importers: readonly IsolatedImporter[];
    /** What other rooms do when a removed registration is taken up again. */
    recalls: readonly RecallRepository[];
  };
