import { authUseCases } from './accounts/use-cases.js';
import { cacheUseCases } from './archives/cache-use-cases.js';
import { archivesUseCases } from './archives/use-cases.js';
import { auditUseCases } from './audit/use-cases.js';
import { backupsUseCases } from './backups/use-cases.js';
import type { Dependencies } from './dependencies.js';
import { eventsUseCases } from './events/use-cases.js';
import { scriptsUseCases } from './hooks/script-use-cases.js';
import { maintenanceUseCases } from './maintenance/use-cases.js';
import { collectMetrics } from './monitoring/collect-metrics.js';
import { systemUseCases } from './monitoring/use-cases.js';
import { notificationsUseCases } from './notifications/use-cases.js';
import { repositoriesUseCases } from './repositories/use-cases.js';
import { idempotencyUseCases } from './requests/idempotency.js';
import { versionsUseCases } from './requests/versions.js';
import { restoreUseCases } from './restore/use-cases.js';
import { schedulesUseCases } from './schedules/use-cases.js';
import { sshUseCases } from './ssh/use-cases.js';

/** Every operation of the product, by area. */
export const makeUseCases = (dependencies: Dependencies) => ({
  archives: archivesUseCases(dependencies),
  audit: auditUseCases(dependencies),
  auth: authUseCases(dependencies),
  backups: backupsUseCases(dependencies),
  cache: cacheUseCases(dependencies),
  events: eventsUseCases(dependencies),
  idempotency: idempotencyUseCases(dependencies),
  maintenance: maintenanceUseCases(dependencies),
  metrics: { collectMetrics: collectMetrics(dependencies) },
  notifications: notificationsUseCases(dependencies),
  repositories: repositoriesUseCases(dependencies),
  restore: restoreUseCases(dependencies),
  schedules: schedulesUseCases(dependencies),
  ssh: sshUseCases(dependencies),
  scripts: scriptsUseCases(dependencies),
  system: systemUseCases(dependencies),
  versions: versionsUseCases(dependencies),
});

/** An interface, so that types made from it name it instead of spelling it out. */
export interface UseCases extends ReturnType<typeof makeUseCases> {}
