import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';

/** All routes of a contract, including nested ones, in declaration order. */
export const routesOf = (router: AppRouter): AppRoute[] =>
  Object.values(router).flatMap((part) => (isAppRoute(part) ? [part] : routesOf(part)));
