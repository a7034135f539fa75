import { archivesUseCases } from './archives/index.js';
import { auditUseCases } from './audit/index.js';
import { authUseCases } from './auth/index.js';
import { backupsUseCases } from './backups/index.js';
import { cacheUseCases } from './cache/index.js';
import type { Dependencies } from './dependencies.js';
import { eventsUseCases } from './events/index.js';
import { idempotencyUseCases } from './idempotency/index.js';
import { maintenanceUseCases } from './maintenance/index.js';
import { collectMetrics } from './metrics/collect-metrics.js';
import { notificationsUseCases } from './notifications/index.js';
import { repositoriesUseCases } from './repositories/index.js';
import { restoreUseCases } from './restore/index.js';
import { schedulesUseCases } from './schedules/index.js';
import { scriptsUseCases } from './scripts/index.js';
import { sshUseCases } from './ssh/index.js';
import { systemUseCases } from './system/index.js';
import { versionsUseCases } from './versions/index.js';

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
