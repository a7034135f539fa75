import { createHash } from 'node:crypto';
import {
  conflict,
  isAppError,
  type Made,
  type Redactor,
  type RememberedAnswer,
  say,
  type Ticket,
} from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import { answerTo, bodyOf } from '../errors/error-answers.js';
import type { HandlerAnswer, HandlerInput, Wrap } from '../routers/route-handlers.js';
import type { UseCases } from '../routers/use-cases.js';
import { callerOf } from '../sign-in/auth.js';
import { type Recoveries, recoveriesOf } from './recovered-answers.js';
import { underScope } from './request-scope.js';

interface Parts {
  useCases: UseCases;
  log: Log;
  redactor: Redactor;
}

/** A request with the raw bytes of its body. */
interface ReadRequest {
  rawBody?: Buffer;
}

/**
 * Handles `Idempotency-Key` for calls that create something: a repeated call gets the response of the first
 * one.
 */
export function idempotentRequests(parts: Parts): Wrap {
  const { idempotency } = parts.useCases;
  const recoveries = recoveriesOf(parts.useCases);
  return (handler, { metadata: { creates }, method, path }) => {
    if (creates !== 'job' && creates !== 'resource') return handler;
    const route = `${method} ${path}`;
    return async (input) => {
      const key = input.req.get('idempotency-key');
      if (key === undefined) return handler(input);
      const { userId } = callerOf(input.req);
      const found = await idempotency.find({ userId, route, key, fingerprint: fingerprintOf(input) });
      if (found.kind === 'answered') return replayed(input, found.answer);
      const work = async () => {
        if (found.kind === 'run') return handler(input);
        const recovered = await recover(recoveries, { route, input, made: found.made });
        if (recovered) {
          input.res.setHeader('Idempotency-Replayed', 'true');
          return recovered;
        }
        await idempotency.restart(found.ticket);
        return handler(input);
      };
      return once(parts, found.ticket, work);
    };
  };
}

async function once(
  { useCases: { idempotency }, log, redactor }: Parts,
  ticket: Ticket,
  work: () => Promise<HandlerAnswer>,
): Promise<HandlerAnswer> {
  const stop = idempotency.keep(ticket);
  const close = (end: Promise<void>) =>
    end.catch((error: unknown) =>
      log.warn('could not store the result of a call with an Idempotency-Key', { error }),
    );
  try {
    const answer = await underScope(idempotency.scopeOf(ticket), work);
    await close(idempotency.remember(ticket, answer));
    return answer;
  } catch (error) {
    const failure = lasting(error, redactor);
    await close(failure ? idempotency.remember(ticket, failure) : idempotency.release(ticket));
    throw error;
  } finally {
    stop();
  }
}

/** After confirming, signing in or getting the permission, a caller repeats the request with the same key. */
const passing = new Set([401, 403, 429]);

/** The response to a permanent failure; null for a transient one. */
function lasting(error: unknown, redactor: Redactor): RememberedAnswer | null {
  const answer = answerTo(error);
  if (answer.status >= 500 || passing.has(answer.status) || answer.retryAfterSeconds !== undefined)
    return null;
  return { status: answer.status, body: bodyOf(answer, redactor) };
}

function replayed({ res }: HandlerInput, { status, body }: RememberedAnswer): HandlerAnswer {
  res.setHeader('Idempotency-Replayed', 'true');
  return { status, body };
}

/** Hash of the URL with its query, and of the raw body. */
function fingerprintOf({ req }: HandlerInput): string {
  const { rawBody } = req as ReadRequest;
  const hash = createHash('sha256').update(`${req.originalUrl.replace(/(?<!\/)\/+(?=\?|$)/, '')}\n`);
  return hash.update(rawBody ?? '').digest('base64url');
}

async function recover(
  recoveries: Recoveries,
  { route, input, made }: { route: string; input: HandlerInput; made: readonly Made[] },
): Promise<HandlerAnswer | null> {
  const recovery = recoveries[route];
  if (!recovery) throw new Error(`no recovery for a retry of ${route}`);
  try {
    return await recovery(input, made);
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') throw goneSince();
    throw error;
  }
}

const goneSince = () =>
  conflict(
    say`idempotency_result_deleted: The first call with this Idempotency-Key succeeded, but the object that it created has been deleted since. Use a new key.`,
  );
