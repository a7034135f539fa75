import { routesOf } from '@holdfast/contracts';
import type { AppRouter } from '@ts-rest/core';

export interface RouteTable {
  /** The methods that the contracts define for a path, upper case and sorted; empty for an unknown path. */
  methodsAt(path: string): string[];
}

export function makeRouteTable(contract: AppRouter): RouteTable {
  const routes = routesOf(contract).map(({ method, path }) => ({ method, path, pattern: patternOf(path) }));
  const methodsAt = (path: string): string[] => {
    const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }): string => method);
    if (methods.length === 0) return [];
    return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
  };
  // Most requests are for paths without parameters: their methods are computed once, on first use.
  const fixed = new Map<string, string[] | null>();
  for (const { path } of routes) if (!path.includes(':')) fixed.set(path, null);
  return {
    methodsAt(path) {
      const known = fixed.get(path);
      if (known === undefined) return methodsAt(path);
      const methods = known ?? methodsAt(path);
      if (known === null) fixed.set(path, methods);
      return methods;
    },
  };
}

/** Like express: case-insensitive, with an optional trailing slash. */
function patternOf(path: string): RegExp {
  const parts = path.split('/').filter((part) => part !== '');
  const text = parts.map((part) =>
    part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^/${text.join('/')}/?$`, 'i');
}
