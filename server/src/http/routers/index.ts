import { contract } from '@holdfast/contracts';
import { createExpressEndpoints } from '@ts-rest/express';
import type { Express } from 'express';
import { accessGuard } from '../auth.js';
import { readBody } from '../body.js';
import type { SendMetrics } from '../metrics.js';
import type { UseCases } from '../use-cases.js';
import { archivesRouter } from './archives.router.js';
import { authRouter } from './auth.router.js';
import { backupsRouter } from './backups.router.js';
import { cacheRouter } from './cache.router.js';
import { maintenanceRouter } from './maintenance.router.js';
import { notificationsRouter } from './notifications.router.js';
import { repositoriesRouter } from './repositories.router.js';
import { restoreRouter } from './restore.router.js';
import { schedulesRouter } from './schedules.router.js';
import { scriptsRouter } from './scripts.router.js';
import { sshKeysRouter } from './ssh-keys.router.js';
import { systemRouter } from './system.router.js';

/** Every route of the contracts: who may call it, then its body, then its handler. */
export function addRoutes(
  app: Express,
  useCases: UseCases,
  { validateResponses, sendMetrics }: { validateResponses: boolean; sendMetrics: SendMetrics },
) {
  const routers = {
    archives: archivesRouter(useCases),
    auth: authRouter(useCases),
    backups: backupsRouter(useCases),
    cache: cacheRouter(useCases),
    maintenance: maintenanceRouter(useCases),
    notifications: notificationsRouter(useCases),
    repositories: repositoriesRouter(useCases),
    restore: restoreRouter(useCases),
    schedules: schedulesRouter(useCases),
    sshKeys: sshKeysRouter(useCases),
    scripts: scriptsRouter(useCases),
    system: systemRouter(useCases, sendMetrics),
  };
  createExpressEndpoints(contract, routers, app, {
    logInitialization: false,
    responseValidation: validateResponses,
    globalMiddleware: [accessGuard(useCases.auth), readBody],
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  });
}
