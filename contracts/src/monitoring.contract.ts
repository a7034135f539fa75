import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, type RouteMetadata } from './common.js';
import * as field from './schemas/fields.js';
import { protectionAlarm, protectionHealth, protectionReport } from './schemas/protection.js';
import { codedReason } from './schemas/sentence.js';

const c = initContract();
const tag = 'System';
const open = { access: { who: 'public' }, tag } satisfies RouteMetadata;
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const adminOnly = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const { 405: wrongMethod, 429: tooMany, 500: failed, 503: unavailable } = failures;
const always = { 405: wrongMethod, 429: tooMany, 500: failed, 503: unavailable };

/** Version of the API that this release implements. */
export const interfaceVersion = '1.64.1';

export const pluginView = z.object({
  name: z.string().openapi({
    description: 'Name of the package. If the package could not be read: its name in the configuration.',
    example: '@holdfast/driver-borg',
  }),
  version: z
    .string()
    .nullable()
    .openapi({ description: 'Null, like kind and id, if the package could not be read.', example: '0.1.0' }),
  kind: z.enum(['storage', 'jobs', 'cache', 'notify', 'driver']).nullable().openapi({
    description: 'Also null for importers, because clients of 0.1 do not know this kind.',
    example: 'driver',
  }),
  id: z.string().nullable().openapi({ example: 'borg' }),
  capabilities: z.array(z.string()).openapi({
    description: 'Operations of a driver or URL schemes of a notification transport; empty for other kinds.',
    example: ['backup', 'check', 'compact', 'prune'],
  }),
  from: z.enum(['built-in', 'PLUGINS', 'data folder']).openapi({ description: 'Where it was found.' }),
  optional: z.boolean().openapi({ description: 'If it fails, Holdfast starts without it.' }),
  chosen: z.boolean().openapi({
    description: 'False: it is installed, but another plugin of its kind is used.',
    example: true,
  }),
  healthy: z.boolean().nullable().openapi({ description: 'Null if it is not chosen.', example: true }),
  problem: z.string().nullable().openapi({ description: 'The problem, if the plugin is not healthy.' }),
});
export type PluginView = z.infer<typeof pluginView>;

const serverVersion = z
  .string()
  .openapi({ description: 'Version of this release of Holdfast.', example: '0.1.0' });
const page = c.otherResponse({ contentType: 'text/html; charset=utf-8', body: z.string() });

export const systemContract = c.router({
  root: {
    method: 'GET',
    path: '/api',
    summary: 'Show the name and version of Holdfast',
    description: 'For a quick manual check.',
    responses: {
      200: z.object({
        name: z.string().openapi({ example: 'Holdfast' }),
        version: z.string().openapi({
          example: interfaceVersion,
          description: 'Version of the API that Holdfast implements.',
        }),
        server_version: serverVersion,
        docs: z.literal('/api/docs'),
        status: z.literal('running'),
      }),
      ...always,
    },
    metadata: open,
  },
  info: {
    method: 'GET',
    path: '/api/system/info',
    summary: 'Show the versions of the API, Borg and this release',
    description: '`app_version` is the version of this API: see its compatibility rules.',
    responses: {
      200: z.object({
        app_version: z.string().openapi({ example: interfaceVersion }),
        bk_version: z.string().nullable().openapi({
          example: 'borg 1.2.4',
          description: 'Version line of Borg; null if it is missing or does not respond.',
        }),
        server_version: serverVersion,
      }),
      ...always,
    },
    metadata: open,
  },
  health: {
    method: 'GET',
    path: '/health',
    summary: 'Check whether Holdfast is running',
    description:
      'For load balancers and supervisors. It responds as soon as Holdfast accepts requests, without ' +
      'waiting for the database or Borg.',
    responses: {
      200: z.object({
        status: z.literal('healthy'),
        service: z.literal('holdfast'),
        ready: z
          .boolean()
          .openapi({ description: 'False while the database is not working.', example: true }),
        degraded: z.array(z.string()).openapi({
          description: 'One message for each component that is not working. Holdfast continues without it.',
          example: [],
        }),
        degraded_codes: z
          .array(codedReason)
          .openapi({ description: 'The codes of `degraded`, in the same order.', example: [] }),
        notices: z.array(z.string()).openapi({
          description:
            'One message for each safeguard that this server does not support. Not an error: everything ' +
            'works without it.',
          example: [],
        }),
      }),
      ...always,
    },
    metadata: open,
  },
  ready: {
    method: 'GET',
    path: '/health/ready',
    summary: 'Check whether this instance should receive requests',
    description:
      'For load balancers: 503 while Holdfast starts or stops, and while its database does not respond. An ' +
      'instance that is not ready does not need a restart; use `/health` to check the process.',
    responses: { 200: z.object({ status: z.literal('ready') }), ...always },
    metadata: open,
  },
  protectionHealth: {
    method: 'GET',
    path: '/health/protection',
    summary: 'Check whether everything is protected',
    description:
      'For external monitors: 200 if no repository is late, damaged, impossible to open, or unknown ' +
      'although a backup was due, otherwise 503. A token is optional; with one, the response names the ' +
      'repositories. The response may be five seconds old.',
    responses: {
      200: protectionHealth,
      ...always,
      503: protectionAlarm,
    },
    metadata: { ...open, access: { who: 'public', tokenOptional: true } } satisfies RouteMetadata,
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Get metrics in the Prometheus text format',
    description: 'If METRICS_TOKEN is set, it is required as a bearer token.',
    responses: {
      200: c.otherResponse({ contentType: 'text/plain; version=0.0.4', body: z.string() }),
      401: failures[401],
      ...always,
    },
    metadata: open,
  },
  protection: {
    method: 'GET',
    path: '/api/system/protection',
    summary: 'Show whether each repository has a recent enough archive, and why',
    description:
      'Based on existing, complete archives, not on jobs. Archive lists that are older than an hour are ' +
      'read again first, unless `known_only` is true.',
    query: z.object({ known_only: field.knownOnly }),
    responses: {
      200: protectionReport,
      400: failures[400],
      401: failures[401],
      403: failures[403],
      ...always,
    },
    metadata: anyUser,
  },
  plugins: {
    method: 'GET',
    path: '/api/plugins',
    summary: 'List the installed plugins with their versions, capabilities and health',
    description: 'Both built-in and added plugins.',
    responses: {
      200: z.object({ success: z.literal(true), plugins: z.array(pluginView) }),
      401: failures[401],
      403: failures[403],
      ...always,
    },
    metadata: adminOnly,
  },
  openApi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Get this API as an OpenAPI document',
    description: 'For generating clients.',
    responses: { 200: z.record(z.unknown()).openapi({ example: { openapi: '3.0.3' } }), ...always },
    metadata: open,
  },
  docs: {
    method: 'GET',
    path: '/api/docs',
    summary: 'Show the interactive documentation',
    description: 'An HTML page from which you can send requests.',
    responses: { 200: page, ...always },
    metadata: open,
  },
  redoc: {
    method: 'GET',
    path: '/api/redoc',
    summary: 'Show the reference documentation',
    description: 'A read-only HTML page.',
    responses: { 200: page, ...always },
    metadata: open,
  },
  docsAsset: {
    method: 'GET',
    path: '/api/docs/assets/:file',
    summary: 'Get a script, style sheet or image of the documentation pages',
    description: 'Only for the documentation pages.',
    pathParams: z.object({ file: z.string().openapi({ description: 'Name of the file.' }) }),
    responses: {
      200: c.otherResponse({ contentType: 'application/octet-stream', body: z.unknown() }),
      400: failures[400],
      404: failures[404],
      ...always,
    },
    metadata: { ...open, download: { contentType: 'application/octet-stream' } },
  },
});
