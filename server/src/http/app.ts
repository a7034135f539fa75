import { contract } from '@holdfast/contracts';
import type { Redactor } from '@holdfast/core/server';
import type { Clock, Log } from '@holdfast/plugin-api';
import cors from 'cors';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { serverVersion } from '../server-version.js';
import { webConsole } from './console/console.js';
import { errorHandler } from './errors/errors.js';
import type { EventStreams } from './events/event-streams.js';
import { type AppLimits, fixedLimits } from './limits.js';
import type { SendMetrics } from './metrics.js';
import { accessLog } from './middleware/access-log.js';
import { belowBasePath } from './middleware/base-path.js';
import { boundValidation } from './middleware/bounded-validation.js';
import { compressedAnswers } from './middleware/compressed-answers.js';
import { dropRest } from './middleware/drop-rest.js';
import { sendLongTexts } from './middleware/long-texts.js';
import { methodGate } from './middleware/method-gate.js';
import { otherNames } from './middleware/other-names.js';
import { requestId } from './middleware/request-id.js';
import type { SendReadiness } from './readiness.js';
import { addRoutes } from './routers/index.js';
import { makeRouteTable } from './routers/route-table.js';
import type { AllUseCases } from './routers/use-cases.js';

export interface AppParts {
  useCases: AllUseCases;
  log: Log;
  clock: Clock;
  redactor: Redactor;
  /** Where a proxy publishes the service: `/holdfast`, or nothing for the root. */
  basePath: string;
  /** The folder of the web console; null: it is not installed. Undefined: it is off. */
  consoleFolder?: string | null | undefined;
  /** Allowed CORS origins. */
  corsOrigins: readonly string[];
  validateResponses: boolean;
  sendMetrics: SendMetrics;
  sendReadiness: SendReadiness;
  appLimits: AppLimits;
  eventStreams: EventStreams;
}

/** The whole HTTP API, without a listener. */
export function makeApp(parts: AppParts): Express {
  const { useCases, log, redactor, basePath, consoleFolder, corsOrigins, appLimits } = parts;
  const app = express();
  boundValidation();
  app.set('etag', false);
  // Express would answer `If-None-Match: *` with 304 on every route, and has no setting for it. Only our
  // routes decide about 304. `app.request` belongs to this app alone, so it can be changed.
  Object.defineProperty(app.request, 'fresh', { get: () => false });
  app.set('query parser', 'simple');
  if (appLimits.trustProxy !== 0) app.set('trust proxy', appLimits.trustProxy);
  sendLongTexts(app);
  app.use(belowBasePath(basePath));
  app.use(requestId, accessLog(log), dropRest(fixedLimits.lingerSeconds * 1000), securityHeaders);
  if (consoleFolder !== undefined) app.use(webConsole(consoleFolder));
  if (corsOrigins.length > 0) app.use(crossOrigin(corsOrigins));
  app.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    // So that an open page notices an update.
    res.setHeader('Holdfast-Version', serverVersion);
    next();
  });
  app.use(compressedAnswers());
  app.use(otherNames(contract));
  app.use(methodGate(makeRouteTable(contract)));
  addRoutes(app, useCases, parts);
  app.use(errorHandler({ log, redactor }));
  return app;
}

const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  // The service itself uses plain HTTP; the reverse proxy with TLS sets this header.
  strictTransportSecurity: false,
});

/** The method gate answers preflight requests, because it knows the methods of a path. */
const crossOrigin = (origins: readonly string[]) =>
  cors({
    origin: [...origins],
    preflightContinue: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      ...['Authorization', 'Content-Type', 'X-Request-Id'],
      ...['Idempotency-Key', 'If-Match', 'If-None-Match', 'Last-Event-ID'],
    ],
    exposedHeaders: [
      ...['X-Request-Id', 'Content-Disposition', 'Retry-After', 'ETag', 'Idempotency-Replayed'],
      'Holdfast-Version',
    ],
    maxAge: 600,
  });
