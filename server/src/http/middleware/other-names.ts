import { type RouteMetadata, routesOf } from '@holdfast/contracts';
import type { AppRouter } from '@ts-rest/core';
import type { RequestHandler } from 'express';

/** Turns the aliases of routes into their own paths. Whatever comes after it knows only those. */
export function otherNames(contract: AppRouter): RequestHandler {
  const paths = new Map(
    routesOf(contract).flatMap((route) => {
      const { alias } = route.metadata as RouteMetadata;
      return alias ? [[alias, route.path] as const] : [];
    }),
  );
  const names = [...paths].map(([alias, path]) => ({
    matches: new RegExp(`^${alias.replace(/:\w+/g, '([^/?]+)')}(?=/*(?:\\?|$))`, 'i'),
    path,
  }));
  return (req, _res, next) => {
    const found = names.find(({ matches }) => matches.test(req.url));
    if (found)
      req.url = req.url.replace(found.matches, (_all, ...values: string[]) =>
        found.path.replace(/:\w+/g, () => values.shift() ?? ''),
      );
    next();
  };
}
