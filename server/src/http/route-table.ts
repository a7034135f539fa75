import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';

export interface RouteTable {
  /** The methods that the contracts know at a path, upper case and sorted; empty for an unknown path. */
  methodsAt(path: string): string[];
}

export function makeRouteTable(contract: AppRouter): RouteTable {
  const routes = flatten(contract).map(({ method, path }) => ({ method, path, pattern: patternOf(path) }));
  const methodsAt = (path: string): string[] => {
    const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }): string => method);
    if (methods.length === 0) return [];
    return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
  };
  // Most requests are for an address without parameters: theirs are looked up, not matched with every pattern.
  const fixed = new Map(
    routes.filter(({ path }) => !path.includes(':')).map(({ path }) => [path, methodsAt(path)]),
  );
  return { methodsAt: (path) => fixed.get(path) ?? methodsAt(path) };
}

export const flatten = (router: AppRouter): AppRoute[] =>
  Object.values(router).flatMap((part) => (isAppRoute(part) ? [part] : flatten(part)));

/** As express reads paths: either case, with or without a slash at the end. */
function patternOf(path: string): RegExp {
  const parts = path.split('/').filter((part) => part !== '');
  const text = parts.map((part) =>
    part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^/${text.join('/')}/?$`, 'i');
}
