import type { RouteMetadata } from '@holdfast/contracts';
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';
import type { createExpressEndpoints } from '@ts-rest/express';
import type { Request, Response } from 'express';

/** The inputs that every route handler gets; others depend on the route. */
export interface HandlerInput {
  req: Request;
  res: Response;
  params?: unknown;
  query?: unknown;
  body?: unknown;
}
export interface HandlerAnswer {
  status: number;
  body: unknown;
}
export type Handler = (input: HandlerInput) => Promise<HandlerAnswer>;
export type DescribedRoute = AppRoute & { metadata: RouteMetadata };
/** The router type of a contract. Without this name, each declaration repeats all schemas. */
export type RouterOf<Contract extends AppRouter> = Parameters<typeof createExpressEndpoints<Contract>>[1];

/** Whether a call has the parameter that makes it costly. */
export const isCostly = ({ query, body }: HandlerInput, { costly }: RouteMetadata): boolean => {
  if (costly === undefined) return false;
  const given = { ...(query as object), ...(body as object) } as Record<string, unknown>;
  return given[costly.parameter] !== undefined && given[costly.parameter] !== false;
};

export type Wrap = (handler: Handler, route: DescribedRoute) => Handler;

/** Wraps each handler according to its route. The types are preserved, because `wrap` passes on its input. */
export function wrapHandlers<H extends object>(contract: AppRouter, handlers: H, wrap: Wrap): H {
  const wrapped = Object.entries(handlers).map(([name, handler]) => {
    const route = contract[name];
    if (route === undefined) throw new Error(`the contracts have no route ${name}`);
    if (!isAppRoute(route)) return [name, wrapHandlers(route, handler as object, wrap)];
    return [name, wrap(handler as Handler, route as DescribedRoute)];
  });
  return Object.fromEntries(wrapped) as H;
}
