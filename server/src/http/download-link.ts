import { parse } from 'node:querystring';
import { contract, type RouteMetadata, routesOf } from '@holdfast/contracts';
import { invalid } from '@holdfast/core/server';
import type { AppRoute } from '@ts-rest/core';
import { RequestValidationError } from '@ts-rest/express';
import type { ZodTypeAny } from 'zod';

/** The query parameters that let a caller in and name nothing. */
const permissions = ['token', 'ticket'];

/** A download that may be asked for by a link. */
export interface DownloadLink {
  /** What a ticket for it is bound to. */
  object: string;
  /** Path and query, with the ticket. */
  withTicket(ticket: string): string;
}

type Values = Record<string, unknown>;

/** Names what a request downloads: its route with all parameters, in one way however the address was written. */
export function downloadedObject(routePath: string, params: Values, query: Values): string {
  const sorted = (values: Values) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  const asked = sorted(query).filter(([name]) => !permissions.includes(name));
  return JSON.stringify([routePath, sorted(params), asked]);
}

/** Reads an address as the service itself would. AppError `invalid` when it is no download, or an impossible one. */
export function readDownloadLink(url: string): DownloadLink {
  if (!/^\/[\x21-\x7e]*$/.test(url) || url.includes('#')) {
    throw invalid('`url` must be path and query of a download, percent-encoded, without a host.');
  }
  const [path = '', search = ''] = url.split(/\?(.*)/s, 2);
  const found = linkRoutes.map(({ route, pattern }) => ({ route, params: paramsIn(path, pattern) }));
  const match = found.find(({ params }) => params !== null);
  if (!match?.params)
    throw invalid(`There is no download with links at ${path}; /api/docs lists what is there.`);
  const query = Object.fromEntries(
    Object.entries(parse(search)).filter(([name]) => !permissions.includes(name)),
  );
  refuseImpossible(match.route, match.params, query);
  return {
    object: downloadedObject(match.route.path, match.params, query),
    withTicket: (ticket) => `${path}?${new URLSearchParams([...pairsOf(query), ['ticket', ticket]])}`,
  };
}

const linkRoutes = routesOf(contract)
  .filter(({ metadata }) => (metadata as RouteMetadata).access.tokenInQuery)
  .map((route) => ({ route, pattern: capturing(route.path) }));

function capturing(path: string): RegExp {
  const parts = path.split('/').map((part) => (part.startsWith(':') ? `(?<${part.slice(1)}>[^/]+)` : part));
  return new RegExp(`^${parts.join('/')}/?$`, 'i');
}

function paramsIn(path: string, pattern: RegExp): Record<string, string> | null {
  const match = pattern.exec(path);
  if (!match) return null;
  const decode = ([name, text]: [string, string]) => [name, decodeURIComponent(text)];
  try {
    return Object.fromEntries(Object.entries(match.groups ?? {}).map(decode));
  } catch (cause) {
    throw invalid('`url` is not percent-encoded as it should be.', { cause });
  }
}

/** Says at once what the download would say. */
function refuseImpossible(route: AppRoute, params: Values, query: Values): void {
  const faultOf = (schema: unknown, values: Values) => {
    const read = (schema as ZodTypeAny | undefined)?.safeParse(values);
    return read && !read.success ? read.error : null;
  };
  const inPath = faultOf(route.pathParams, params);
  const inQuery = faultOf(route.query, query);
  if (inPath || inQuery) throw new RequestValidationError(inPath, null, inQuery, null);
}

const pairsOf = (query: Values): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, `${one}`]),
  );
