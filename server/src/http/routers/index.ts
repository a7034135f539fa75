import { contract, neededRight } from '@holdfast/contracts';
import type { Caller, Redactor } from '@holdfast/core/server';
import type { Clock, Log } from '@holdfast/plugin-api';
import { createExpressEndpoints } from '@ts-rest/express';
import type { Express } from 'express';
import { auditedAnswers, auditRequests } from '../audit/audit-requests.js';
import type { EventStreams } from '../events/event-streams.js';
import type { AppLimits } from '../limits.js';
import type { SendMetrics } from '../metrics.js';
import { readBody } from '../middleware/body.js';
import { boundDownloads, boundExpensiveCalls } from '../middleware/bounded-calls.js';
import { conditionalRequests } from '../middleware/conditional-requests.js';
import { idempotentRequests } from '../middleware/idempotent-requests.js';
import type { SendReadiness } from '../readiness.js';
import { accessGuard, confirmFields } from '../sign-in/auth.js';
import { type LoginThrottle, makeLoginThrottle } from '../sign-in/login-throttle.js';
import { authRouter } from './accounts.router.js';
import { archivesRouter } from './archives.router.js';
import { auditRouter } from './audit.router.js';
import { backupsRouter } from './backups.router.js';
import { cacheRouter } from './cache.router.js';
import { downloadsRouter } from './downloads.router.js';
import { drillsRouter } from './drills.router.js';
import { eventsRouter } from './events.router.js';
import { exchangeRouter } from './exchange.router.js';
import { historyRouter } from './history.router.js';
import { scriptsRouter } from './hooks.router.js';
import { incidentsRouter } from './incidents.router.js';
import { jobsRouter } from './jobs.router.js';
import { maintenanceRouter } from './maintenance.router.js';
import { systemRouter } from './monitoring.router.js';
import { movingInRouter } from './moving-in.router.js';
import { notificationsRouter } from './notifications.router.js';
import { overviewRouter } from './overview.router.js';
import { placesRouter } from './places.router.js';
import { recoveryRouter } from './recovery.router.js';
import { repositoriesRouter } from './repositories.router.js';
import { restoreRouter } from './restore.router.js';
import { type DescribedRoute, type Handler, isCostly, wrapHandlers } from './route-handlers.js';
import { schedulesRouter } from './schedules.router.js';
import { selfBackupRouter } from './self-backup.router.js';
import { sourceSetsRouter } from './source-sets.router.js';
import { sourcesRouter } from './sources.router.js';
import { sshKeysRouter } from './ssh.router.js';
import type { AllUseCases, UseCases } from './use-cases.js';

export interface RouteParts {
  validateResponses: boolean;
  sendMetrics: SendMetrics;
  sendReadiness: SendReadiness;
  appLimits: AppLimits;
  eventStreams: EventStreams;
  log: Log;
  clock: Clock;
  redactor: Redactor;
}

const { overview, schedules, repositories, backups, jobs, ...others } = contract;
/** Express matches routes in order, so the routes that user interfaces poll come first. */
const mostAskedFirst = { overview, schedules, repositories, backups, jobs, ...others };

/** Adds every route of the contracts: access check, then body, then handler. */
export function addRoutes(app: Express, useCases: AllUseCases, parts: RouteParts) {
  const { validateResponses, appLimits, clock, redactor } = parts;
  const throttle = makeLoginThrottle();
  const known = new WeakMap<UseCases, Map<DescribedRoute, Handler>>();
  const handlersOf = (visible: UseCases) => {
    const handlers = known.get(visible) ?? new Map<DescribedRoute, Handler>();
    if (handlers.size === 0)
      wrapHandlers(contract, handlersOver(visible, throttle, parts), (handler, route) => {
        handlers.set(route, handler);
        return handler;
      });
    known.set(visible, handlers);
    return handlers;
  };
  const chosen = wrapHandlers(
    contract,
    handlersOver(useCases, throttle, parts),
    (handler, route) => (input) => {
      const { user } = input.req as { user?: Caller };
      if (!user || (user.isAdmin && !user.limits)) return handler(input);
      const { costly } = route.metadata;
      const needed =
        costly && isCostly(input, route.metadata) ? costly.right : (neededRight(route) ?? 'operate');
      const visible = useCases.forCaller(user, needed === 'none' ? 'see' : needed);
      return (handlersOf(visible).get(route) as Handler)(input);
    },
  );
  const confirmed = wrapHandlers(contract, chosen, confirmFields(useCases.auth.refuseUnconfirmed));
  const paced = wrapHandlers(contract, confirmed, boundExpensiveCalls(appLimits));
  const bounded = wrapHandlers(contract, paced, boundDownloads(appLimits));
  const handlers = wrapHandlers(contract, bounded, auditedAnswers);
  createExpressEndpoints(mostAskedFirst, handlers, app, {
    logInitialization: false,
    responseValidation: validateResponses,
    globalMiddleware: [auditRequests({ useCases, clock, redactor }), accessGuard(useCases.auth), readBody],
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  });
}

/** The handlers of all routes, over one set of use cases. */
function handlersOver(useCases: UseCases, throttle: LoginThrottle, parts: RouteParts) {
  const { eventStreams, sendMetrics, sendReadiness, log, redactor } = parts;
  const routers = {
    archives: archivesRouter(useCases),
    audit: auditRouter(useCases),
    auth: authRouter(useCases, throttle),
    backups: backupsRouter(useCases),
    cache: cacheRouter(useCases),
    events: eventsRouter(eventStreams),
    downloads: downloadsRouter(useCases),
    drills: drillsRouter(useCases),
    exchange: exchangeRouter(useCases),
    history: historyRouter(useCases),
    incidents: incidentsRouter(useCases),
    jobs: jobsRouter(useCases),
    maintenance: maintenanceRouter(useCases),
    movingIn: movingInRouter(useCases),
    notifications: notificationsRouter(useCases),
    overview: overviewRouter(useCases),
    selfBackup: selfBackupRouter(useCases),
    places: placesRouter(useCases),
    recovery: recoveryRouter(useCases),
    repositories: repositoriesRouter(useCases),
    restore: restoreRouter(useCases),
    schedules: schedulesRouter(useCases),
    sshKeys: sshKeysRouter(useCases),
    scripts: scriptsRouter(useCases),
    sources: sourcesRouter(useCases),
    sourceSets: sourceSetsRouter(useCases),
    system: systemRouter(useCases, { sendMetrics, sendReadiness }),
  };
  const conditional = wrapHandlers(contract, routers, conditionalRequests(useCases));
  return wrapHandlers(contract, conditional, idempotentRequests({ useCases, log, redactor }));
}
