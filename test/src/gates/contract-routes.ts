import { routesOf as allRoutes, type RouteMetadata } from '@holdfast/contracts';
import type { AppRoute, AppRouter } from '@ts-rest/core';

/** One route of the contracts, as the gates see it. */
export interface ContractRoute {
  /** `POST /api/backup/start`. */
  name: string;
  method: AppRoute['method'];
  path: string;
  /** What the contract says of the route; undefined where it says nothing. */
  metadata: RouteMetadata | undefined;
  route: AppRoute;
}

/** Every route of the contracts, those of the areas within areas too. */
export const routesOf = (router: AppRouter): ContractRoute[] => allRoutes(router).map(describeRoute);

const describeRoute = (route: AppRoute): ContractRoute => ({
  name: `${route.method} ${route.path}`,
  method: route.method,
  path: route.path,
  metadata: route.metadata as RouteMetadata | undefined,
  route,
});

/** The names of the parameters in a path. */
export const parametersOf = ({ path }: { path: string }): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** A path with a value for each parameter, encoded. */
export const fillPath = (path: string, valueFor: (parameter: string) => string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(valueFor(name)));
