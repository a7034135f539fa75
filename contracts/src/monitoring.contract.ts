import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, type RouteMetadata } from './common.js';
import { protectionReport } from './schemas/protection.js';

const c = initContract();
const tag = 'System';
const open = { access: { who: 'public' }, tag } satisfies RouteMetadata;
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const adminOnly = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const { 405: wrongMethod, 429: tooMany, 500: failed, 503: unavailable } = failures;
const always = { 405: wrongMethod, 429: tooMany, 500: failed, 503: unavailable };

/** Version of the interface that this release implements. */
export const interfaceVersion = '1.64.1';

export const pluginView = z.object({
  name: z.string().openapi({
    description: 'Of the package; what the configuration says where the package could not be read.',
    example: '@holdfast/driver-borg',
  }),
  version: z
    .string()
    .nullable()
    .openapi({ description: 'Null, like kind and id, for an unreadable package.' }),
  kind: z.enum(['storage', 'jobs', 'cache', 'notify', 'driver']).nullable(),
  id: z.string().nullable(),
  capabilities: z.array(z.string()).openapi({
    description: 'Operations of a driver, URL schemes of a notification transport; empty for other kinds.',
  }),
  from: z.enum(['built-in', 'PLUGINS', 'data folder']).openapi({ description: 'Where it was found.' }),
  optional: z.boolean().openapi({ description: 'The service starts without it when it fails.' }),
  chosen: z.boolean().openapi({ description: 'False: it is installed, and another of its kind is used.' }),
  healthy: z.boolean().nullable().openapi({ description: 'Null when it is not chosen.' }),
  problem: z.string().nullable().openapi({ description: 'What is wrong, when the plugin is not healthy.' }),
});
export type PluginView = z.infer<typeof pluginView>;

const page = c.otherResponse({ contentType: 'text/html; charset=utf-8', body: z.string() });

export const systemContract = c.router({
  root: {
    method: 'GET',
    path: '/api',
    summary: 'Name and version of the service',
    description: 'For a first look by hand.',
    responses: {
      200: z.object({
        name: z.string(),
        version: z.string().openapi({ example: interfaceVersion }),
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
    summary: 'Versions of the interface, of the backup tool and of this release',
    description: '`app_version` is the version of this interface: see its rules of compatibility.',
    responses: {
      200: z.object({
        app_version: z.string().openapi({ example: interfaceVersion }),
        bk_version: z.string().nullable().openapi({
          example: 'borg 1.2.4',
          description: 'Version line of the backup tool; null while it is missing or does not answer.',
        }),
        server_version: z.string(),
      }),
      ...always,
    },
    metadata: open,
  },
  health: {
    method: 'GET',
    path: '/health',
    summary: 'Answers as soon as the service can take requests',
    description: 'For load balancers and supervisors; it does not wait for storage or the backup tool.',
    responses: {
      200: z.object({
        status: z.literal('healthy'),
        service: z.literal('holdfast'),
        ready: z.boolean().openapi({ description: 'False while the storage does not work.' }),
        degraded: z.array(z.string()).openapi({
          description: 'One sentence for each part that does not work now; the service goes on without it.',
          example: [],
        }),
        notices: z.array(z.string()).openapi({
          description:
            'One sentence for each safeguard that this machine does not allow. No fault: all parts work without it.',
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
    summary: 'Tells whether requests should be sent here',
    description:
      'For load balancers: 503 while the service starts or stops, and while its storage does not answer. Whether the ' +
      'process lives is what `/health` tells: one that is not ready needs no restart.',
    responses: { 200: z.object({ status: z.literal('ready') }), ...always },
    metadata: open,
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'What is measured, in the text format of Prometheus',
    description: 'Where METRICS_TOKEN is set, it is wanted as a bearer token.',
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
    summary: 'Whether each repository has an archive as young as promised, and why',
    description: 'Judged by the archives that exist, unfinished ones aside; not by jobs.',
    responses: { 200: protectionReport, 401: failures[401], 403: failures[403], ...always },
    metadata: anyUser,
  },
  plugins: {
    method: 'GET',
    path: '/api/plugins',
    summary: 'The installed plugins with their versions, capabilities and health',
    description: 'Those that came with the service and those that were added.',
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
    summary: 'This interface as an OpenAPI document',
    description: 'What clients are generated from.',
    responses: { 200: z.record(z.unknown()), ...always },
    metadata: open,
  },
  docs: {
    method: 'GET',
    path: '/api/docs',
    summary: 'Interactive documentation',
    description: 'A page for people: it can send the calls.',
    responses: { 200: page, ...always },
    metadata: open,
  },
  redoc: {
    method: 'GET',
    path: '/api/redoc',
    summary: 'Reference documentation',
    description: 'A page for people, to read.',
    responses: { 200: page, ...always },
    metadata: open,
  },
  docsAsset: {
    method: 'GET',
    path: '/api/docs/assets/:file',
    summary: 'A script, style or image of the documentation pages',
    description: 'Nothing else can be fetched here.',
    pathParams: z.object({ file: z.string() }),
    responses: {
      200: c.otherResponse({ contentType: 'application/octet-stream', body: z.unknown() }),
      400: failures[400],
      404: failures[404],
      ...always,
    },
    metadata: { ...open, download: { contentType: 'application/octet-stream' } },
  },
});
