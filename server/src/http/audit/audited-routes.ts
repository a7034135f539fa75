import { contract, type RouteMetadata } from '@holdfast/contracts';
import type { AuditKind } from '@holdfast/core/server';
import { type AppRouter, isAppRoute } from '@ts-rest/core';

/** What the audit trail records about a route: the action, its kind and its object. */
export interface AuditedRoute {
  action: string;
  kind: AuditKind;
  object: AuditedObject | null;
  onlyFailures: boolean;
}

interface AuditedObject {
  kind: string;
  /** The path parameter that identifies it. */
  parameter: string;
}

interface Route {
  method: string;
  path: string;
  metadata?: unknown;
}

/** Null for a read-only route. All other routes are audited by default. */
function auditKindOf({ method, metadata }: Route): AuditKind | null {
  const { audit, download, access } = metadata as RouteMetadata;
  if (audit === 'login') return 'login';
  if (method !== 'GET') return 'change';
  if (audit === 'secret') return 'secret';
  // An event stream never ends, and contains only what every user may read anyway.
  const takesAway = download !== undefined && download.contentType !== 'text/event-stream';
  return takesAway && access.who !== 'public' ? 'download' : null;
}

const names: Record<string, string> = {
  repo: 'repository',
  connection: 'ssh_connection',
  key: 'ssh_key',
  setting: 'notification',
};

/** The API names schedule ids `job_id`. */
export const isSchedule = (path: string): boolean => path.startsWith('/api/schedule/');

/** The object that the last path parameter identifies: `:job_id` a job, `/users/:id` a user. */
function auditedObjectOf({ path }: Pick<Route, 'path'>): AuditedObject | null {
  const match = /^.*\/([^/:]+)\/:(\w+)/.exec(path);
  const [, segment = '', parameter] = match ?? [];
  if (parameter === undefined) return null;
  if (isSchedule(path)) return { kind: 'schedule', parameter };
  if (parameter === 'id') return { kind: segment.replace(/s$/, ''), parameter };
  const name = parameter.replace(/_(id|name)$/, '');
  return { kind: names[name] ?? name, parameter };
}

/** By method and path of the contract. Routes that are not in the map are not audited. */
function auditedRoutesOf(router: AppRouter): Map<string, AuditedRoute> {
  const routes = new Map<string, AuditedRoute>();
  const add = (some: AppRouter, names: string[]): void => {
    for (const [name, part] of Object.entries(some)) {
      if (!isAppRoute(part)) add(part, [...names, name]);
      else {
        const kind = auditKindOf(part);
        const action = camelCase([...names, name]);
        const onlyFailures = (part.metadata as RouteMetadata).audit === 'failures';
        if (kind) routes.set(routeKey(part), { action, kind, object: auditedObjectOf(part), onlyFailures });
      }
    }
  };
  add(router, []);
  return routes;
}

export const routeKey = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

/**
 * Like the operation ids of the OpenAPI document: `maintenance`, `check`, `job` becomes
 * `maintenanceCheckJob`.
 */
const camelCase = ([first = '', ...rest]: string[]): string =>
  first + rest.map((name) => name.charAt(0).toUpperCase() + name.slice(1)).join('');

export const auditedRoutes: ReadonlyMap<string, AuditedRoute> = auditedRoutesOf(contract);
