import { systemContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { openApiDocument, sendAsset, sendDocsPage, sendRedocPage } from '../docs/handlers.js';
import type { SendMetrics } from '../metrics.js';
import type { SendReadiness } from '../readiness.js';
import { isSignedIn } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const systemRouter = (
  { system }: Pick<UseCases, 'system'>,
  { sendMetrics, sendReadiness }: { sendMetrics: SendMetrics; sendReadiness: SendReadiness },
): RouterOf<typeof systemContract> =>
  server.router(systemContract, {
    root: async () => ok(await system.getRoot()),
    info: async () => ok(await system.getSystemInfo()),
    health: async () => ok(await system.getHealth()),
    ready: async ({ res }) => sendReadiness(res),
    protectionHealth: async ({ req }) => {
      const body = await system.getProtectionHealth(isSignedIn(req));
      return body.status === 'protected' ? ok(body) : { status: 503, body };
    },
    metrics: async ({ req, res }) => sendMetrics(req, res),
    protection: async ({ query }) => ok(await system.getProtection(query)),
    plugins: async () => ok(await system.listPlugins()),
    openApi: async ({ req }) => ok(await openApiDocument(req)),
    docs: async ({ res }) => sendDocsPage(res),
    redoc: async ({ res }) => sendRedocPage(res),
    docsAsset: async ({ params, res }) => sendAsset(res, params.file),
  });
