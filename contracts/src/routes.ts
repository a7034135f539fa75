import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';

/** All routes of a contract and its parts, in the order in which they are written. */
export const routesOf = (router: AppRouter): AppRoute[] =>
  Object.values(router).flatMap((part) => (isAppRoute(part) ? [part] : routesOf(part)));
