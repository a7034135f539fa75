import { say } from '@holdfast/core/server';
import { type AppRoute, ContractNoBody } from '@ts-rest/core';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { HttpError } from '../errors/http-error.js';
import { fixedLimits } from '../limits.js';
import type { RoutedRequest } from '../sign-in/bearer-token.js';
import { readUpload } from './multipart.js';
import { rejectLongBody } from './reject-long-body.js';

const limit = fixedLimits.bodyBytes;
const jsonTypes = ['application/json', 'application/*+json'];
const formType = 'application/x-www-form-urlencoded';
const deepest = 100;
const nested = say`body_nested: The body has lists or objects nested more than ${{ deepest }} levels deep.`;
/** Idempotent calls are compared by their raw body. */
const keepBytes = (req: object, _res: unknown, bytes: Buffer) => {
  (req as { rawBody?: Buffer }).rawBody = bytes;
  if (isNested(bytes)) throw Object.assign(new Error('nested'), { type: nested.code });
};
const readJson = express.json({ limit, strict: false, type: jsonTypes, verify: keepBytes });
const readForm = express.urlencoded({ limit, extended: false, type: formType });
const longest = { bytes: limit, reason: say`body_too_large: The body is larger than 1 MB.` };
const bounded =
  (reader: RequestHandler): RequestHandler =>
  (req, res, next) =>
    reader(
      ...([req, res] as const),
      rejectLongBody(req, longest, (error) => {
        const { type } = (error ?? {}) as { type?: string };
        next(type === nested.code ? new HttpError(400, nested) : error);
      }),
    );

/** Half a million lists in each other would take the parser tenths of a second. */
function isNested(json: Buffer): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length && depth <= deepest; at++) {
    const sign = json[at];
    if (isText && sign === 0x5c) at++;
    else if (sign === 0x22) isText = !isText;
    else if (!isText && (sign === 0x5b || sign === 0x7b)) depth++;
    else if (!isText && (sign === 0x5d || sign === 0x7d)) depth--;
  }
  return depth > deepest;
}

/**
 * Reads the body as declared in the contract. Runs after the access check, so that anonymous clients can't
 * send large bodies.
 */
export function readBody(routed: object, res: Response, next: NextFunction): void {
  const req = routed as RoutedRequest & { tsRestRoute: AppRoute };
  const route = req.tsRestRoute;
  const { upload } = (routed as RoutedRequest).tsRestRoute.metadata;
  const exchange = { req, res, next };
  if (!takesBody(route)) next();
  else if (upload) readAs('multipart/form-data', readUpload(upload.part), exchange);
  else if (route.contentType === formType && req.is(formType)) bounded(readForm)(req, res, next);
  else
    readAs(
      route.contentType === formType ? [formType, ...jsonTypes] : jsonTypes,
      bounded(readJson),
      exchange,
    );
}

const takesBody = (route: AppRoute): route is Extract<AppRoute, { body: unknown }> =>
  'body' in route && route.body !== undefined && route.body !== null && route.body !== ContractNoBody;

/** Accepts a missing body: the contract decides whether one is required. */
function readAs(
  types: string | string[],
  reader: RequestHandler,
  { req, res, next }: { req: Request; res: Response; next: NextFunction },
): void {
  const accepted = [types].flat();
  const type = req.is(accepted);
  if (type === null || (type === false && req.get('content-length') === '0')) {
    req.body = {};
    next();
  } else if (type === false) {
    next(
      new HttpError(
        415,
        say`content_type_wrong: Send the body as ${{ type: accepted[0] ?? '' }} and set Content-Type accordingly.`,
      ),
    );
  } else {
    reader(req, res, next);
  }
}
