import type { RequestHandler } from 'express';
import type { RouteTable } from './route-table.js';

/** 404 and 405 for what the contracts don't have, before anything of the request is read. */
export const methodGate =
  (table: RouteTable): RequestHandler =>
  (req, res, next) => {
    const methods = table.methodsAt(req.path);
    if (methods.length === 0) {
      res.status(404).json({ detail: `There is nothing at ${req.path}; /api/docs lists what is there.` });
      return;
    }
    if (methods.includes(req.method) && req.method !== 'OPTIONS') {
      next();
      return;
    }
    res.setHeader('Allow', methods.join(', '));
    if (req.method === 'OPTIONS') res.status(204).end();
    else res.status(405).json({ detail: `${req.method} is not possible here; use ${methods.join(' or ')}.` });
  };
