import { AppError, type EntityTag, isUnchanged, say, tagText } from '@holdfast/core/server';
import type { DescribedRoute, Handler, Wrap } from '../routers/route-handlers.js';
import type { UseCases } from '../routers/use-cases.js';
import { callerOf } from '../sign-in/auth.js';
import { underScope } from './request-scope.js';

/** Handles `ETag` and `If-None-Match` for reads, and `If-Match` and the new `ETag` for changes. */
export const conditionalRequests =
  ({ versions }: Pick<UseCases, 'versions'>): Wrap =>
  (handler, route) => {
    if (route.method === 'GET') return showing(versions, handler, route);
    return route.method === 'POST' ? handler : changing(versions, handler, route);
  };

type Versions = UseCases['versions'];

function showing(
  versions: Versions,
  handler: Handler,
  { metadata: { version, tagged } }: DescribedRoute,
): Handler {
  if (version === undefined && !tagged) return handler;
  return async (input) => {
    const answer = await handler(input);
    const tag = versions.tagOf(version, answer.body as object);
    input.res.setHeader('ETag', tagText(tag));
    const given = input.req.get('if-none-match');
    return given !== undefined && isUnchanged(given, tag) ? { status: 304, body: undefined } : answer;
  };
}

function changing(
  versions: Versions,
  handler: Handler,
  { metadata: { version }, method }: DescribedRoute,
): Handler {
  return async (input) => {
    const ifMatch = input.req.get('if-match');
    if (version === undefined) {
      return ifMatch === undefined ? handler(input) : withoutTag(ifMatch, () => handler(input));
    }
    if (method === 'DELETE' && ifMatch === undefined) return handler(input);
    const ids = (input.params ?? {}) as Record<string, number>;
    const change = { kind: version, caller: callerOf(input.req), ids, ifMatch };
    if (method === 'DELETE') return underScope(await versions.whileChanging(change), () => handler(input));
    const seen: { tag?: EntityTag } = {};
    const onChanged = (tag: EntityTag) => {
      seen.tag = tag;
    };
    const scope = await versions.whileChanging({ ...change, onChanged });
    const answer = await underScope(scope, () => handler(input));
    if (seen.tag && answer.status < 300) input.res.setHeader('ETag', tagText(seen.tag));
    return answer;
  };
}

/** A client that sends a condition relies on it, so one that can't be checked must not be ignored. */
function withoutTag<T>(ifMatch: string, work: () => Promise<T>): Promise<T> {
  if (ifMatch.trim() === '*') return work();
  throw new AppError(
    'precondition_failed',
    say`if_match_unsupported: This resource does not support If-Match.`,
  );
}
