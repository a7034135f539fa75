import { parse } from 'node:querystring';
import { type Access, contract, type RouteMetadata, routesOf } from '@holdfast/contracts';
import { invalid, say } from '@holdfast/core/server';
import type { AppRoute, AppRouter } from '@ts-rest/core';
import { RequestValidationError } from '@ts-rest/express';
import type { ZodTypeAny } from 'zod';

/** Query parameters that authenticate the caller and don't select the download. */
const permissions = ['token', 'ticket'];

/** A download that can be requested by a link. */
export interface DownloadLink {
  /** The object that its ticket is bound to. */
  object: string;
  /** Only callers who confirmed their password get a ticket. */
  confirm: boolean;
  /** The repository of a download from an archive, as its query names it. */
  from: { repository?: string | undefined; repository_id?: number | undefined } | null;
  /** Path and query, including the ticket. */
  withTicket(ticket: string): string;
}

type Values = Record<string, unknown>;

/** Identifies a download: its route with all parameters, in canonical form. */
export function downloadedObject(routePath: string, params: Values, query: Values): string {
  const sorted = (values: Values) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  const asked = sorted(query).filter(([name]) => !permissions.includes(name));
  return JSON.stringify([routePath, sorted(params), asked]);
}

/**
 * Parses a URL like the service itself. `filePaths` stay with the ticket and complete the query. AppError `invalid` if
 * it is not a download; RequestValidationError for invalid parameters.
 */
export function readDownloadLink(
  url: string,
  { filePaths, routes = linkRoutes }: { filePaths?: readonly string[] | undefined; routes?: LinkRoutes } = {},
): DownloadLink {
  if (!/^\/[\x21-\x7e]*$/.test(url) || url.includes('#')) {
    throw invalid(
      say`download_url_malformed: \`url\` must be the percent-encoded path and query of a download, without a host.`,
    );
  }
  const [path = '', search = ''] = url.split(/\?(.*)/s, 2);
  const found = routes.map(({ route, pattern }) => ({ route, params: paramsIn(path, pattern) }));
  const match = found.find(({ params }) => params !== null);
  if (!match?.params)
    throw invalid(
      say`download_unknown: There is no download with ticket support at ${{ path }}. See /api/docs.`,
    );
  const query = Object.fromEntries(
    Object.entries(parse(search)).filter(([name]) => !permissions.includes(name)),
  );
  if (filePaths && match.route.path !== contract.archives.download.path) {
    throw invalid(say`file_paths_elsewhere: file_paths is only for downloads from archives: leave it out.`);
  }
  if (filePaths && query.file_path !== undefined) {
    throw invalid(
      say`file_paths_twice: Give the entries either in file_paths or as file_path in url, not both.`,
    );
  }
  const completed = filePaths ? { ...query, file_path: [...filePaths] } : query;
  validateParameters(match.route, match.params, completed);
  return {
    confirm: accessOf(match.route).confirm === 'always',
    from:
      match.route.path === contract.archives.download.path
        ? contract.archives.download.query.parse(completed)
        : null,
    object: downloadedObject(match.route.path, match.params, query),
    withTicket: (ticket) => `${path}?${new URLSearchParams([...pairsOf(query), ['ticket', ticket]])}`,
  };
}

const accessOf = ({ metadata }: AppRoute): Access => (metadata as RouteMetadata).access;

/** The routes that links can request. */
export const linkRoutesOf = (router: AppRouter) =>
  routesOf(router)
    .filter((route) => accessOf(route).tokenInQuery)
    .map((route) => ({ route, pattern: capturing(route.path) }));
type LinkRoutes = ReturnType<typeof linkRoutesOf>;
const linkRoutes: LinkRoutes = linkRoutesOf(contract);

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
    throw invalid(say`download_url_encoding_wrong: \`url\` is not percent-encoded correctly.`, { cause });
  }
}

/** Validates the parameters now, with the same errors as the download. */
function validateParameters(route: AppRoute, params: Values, query: Values): void {
  const errorIn = (schema: unknown, values: Values) => {
    const read = (schema as ZodTypeAny | undefined)?.safeParse(values);
    return read && !read.success ? read.error : null;
  };
  const inPath = errorIn(route.pathParams, params);
  const inQuery = errorIn(route.query, query);
  if (inPath || inQuery) throw new RequestValidationError(inPath, null, inQuery, null);
}

const pairsOf = (query: Values): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, `${one}`]),
  );
