import type { RequestHandler } from 'express';
import type { RouteTable } from '../routers/route-table.js';

/** Answers 404 and 405 for routes that are not in the contracts, before the request is read. */
export const methodGate =
  (table: RouteTable): RequestHandler =>
  (req, res, next) => {
    const methods = table.methodsAt(req.path);
    if (methods.length === 0) {
      res.status(404).json({
        detail: `There is nothing at ${req.path}. See /api/docs for the available routes.`,
        code: 'route_unknown',
        params: { path: req.path },
      });
      return;
    }
    if (methods.includes(req.method) && req.method !== 'OPTIONS') {
      next();
      return;
    }
    res.setHeader('Allow', methods.join(', '));
    if (req.method === 'OPTIONS') res.status(204).end();
    else {
      res.status(405).json({
        detail: `${req.method} is not supported here. Use ${methods.join(' or ')}.`,
        code: 'method_not_allowed',
        params: { method: req.method, methods },
      });
    }
  };
