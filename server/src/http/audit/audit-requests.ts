import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AuditFacts,
  outcomeOf,
  type Redactor,
  type SignedInCaller,
  systemFacts,
} from '@holdfast/core/server';
import type { Clock } from '@holdfast/plugin-api';
import type { NextFunction, Request, Response } from 'express';
import { loggedUrl, withoutTokens } from '../middleware/logged-url.js';
import { requestIdOf } from '../middleware/request-id.js';
import type { Wrap } from '../routers/route-handlers.js';
import type { UseCases } from '../routers/use-cases.js';
import { AnonymousBudget } from './anonymous-budget.js';
import { type AuditedRoute, auditedRoutes, routeKey } from './audited-routes.js';
import { createdIn } from './created-object.js';

interface Parts {
  useCases: Pick<UseCases, 'audit'>;
  clock: Clock;
  redactor: Redactor;
  /** For a small contract in tests. */
  routes?: ReadonlyMap<string, AuditedRoute>;
}

/**
 * How long a response waits for its audit entry. If the storage is not available, the entry is written later.
 */
const holdMs = 2_000;

interface Note {
  /** The object named by the path, or the object that the call created. */
  about: { kind: string; id: string } | null;
  /** The user recognised by a public route, and the remark for the entry. */
  user?: NotedUser;
  remark?: string;
  /** Records the request once. Resolves when the response may be sent. */
  write(status: number): Promise<void>;
}

interface NotedUser {
  userId: number;
  username: string;
  tokenId?: number;
}

/** For public routes that recognise the user themselves. */
export function noteUser(res: Response, user: NotedUser, remark?: string): void {
  const note = noteOf(res);
  if (note) Object.assign(note, { user, remark });
}

/** Adds a remark to the entry of this call. */
export function noteRemark(res: Response, remark: string): void {
  const note = noteOf(res);
  if (note) note.remark = remark;
}

const noteOf = (res: Response): Note | undefined => res.locals.audit as Note | undefined;

/** Resolves when the first byte may be sent. Handlers are waited for below; errors and streamed responses call it. */
export const noteAnswer = async (res: Response, status: number): Promise<void> => noteOf(res)?.write(status);

/**
 * The first global middleware: every call to an audited route leaves an entry, whatever its result. The
 * response is sent after the entry is stored, so every confirmed change is in the trail: see `noteAnswer`.
 */
export function auditRequests({ useCases, clock, redactor, routes = auditedRoutes }: Parts) {
  const { noteRequest } = useCases.audit;
  const budget = new AnonymousBudget((note) => {
    void noteRequest(systemFacts(clock.now(), 'auditLeftOut', note));
  });
  return (routed: object, res: Response, next: NextFunction): void => {
    const req = routed as Request & { tsRestRoute: { method: string; path: string } };
    const route = routes.get(routeKey(req.tsRestRoute));
    if (!route) {
      next();
      return;
    }
    const address = req.ip ?? null;
    // Read here, because the error handler no longer sees the path parameters.
    const named = route.object && req.params[route.object.parameter];
    const note: Note = {
      about: route.object && named ? { kind: route.object.kind, id: named } : null,
      write: once(async (status) => {
        const user = req.user as SignedInCaller | undefined;
        if (isMasked(route, status, user) || (route.onlyFailures && (status < 400 || !req.headers.cookie)))
          return;
        if (!user && !note.user && status >= 400 && !(await budget.take(route.kind, address ?? ''))) return;
        const facts = factsOf({ req, res, route, status, address, at: clock.now(), redactor });
        await Promise.race([
          noteRequest(facts, claimedBy(req, route)),
          sleep(holdMs, undefined, { ref: false }),
        ]);
      }),
    };
    res.locals.audit = note;
    next();
  };
}

/** The outermost wrapper: holds back each answer until its entry is stored, with the object that the call created. */
export const auditedAnswers: Wrap = (handler, route) => async (input) => {
  const answer = await handler(input);
  const note = noteOf(input.res);
  if (note && route.metadata.creates !== 'nothing') note.about ??= createdIn(answer.body, route.path);
  await note?.write(answer.status);
  return answer;
};

/** True if no secret was shown: only administrators see secrets unmasked. */
const isMasked = ({ kind }: AuditedRoute, status: number, user: SignedInCaller | undefined): boolean =>
  kind === 'secret' && status < 400 && user !== undefined && !user.isAdmin;

interface Asked {
  req: Request;
  res: Response;
  route: AuditedRoute;
  status: number;
  address: string | null;
  at: number;
  redactor: Redactor;
}

function factsOf({ req, res, route, status, address, at, redactor }: Asked): AuditFacts {
  const { user = req.user as SignedInCaller | undefined, remark = null } = noteOf(res) ?? {};
  const { kind, action } = route;
  const shown = (text: string) => redactor.redact(withoutTokens(text));
  const about = noteOf(res)?.about ?? null;
  return {
    at,
    kind,
    action,
    outcome: outcomeOf(status),
    status,
    user_id: user?.userId ?? null,
    username: user?.username ?? null,
    token_id: user?.tokenId ?? null,
    address,
    request_id: shown(requestIdOf(res)),
    method: req.method,
    url: shown(loggedUrl(req)),
    object_kind: about?.kind ?? null,
    object_id: about && shown(about.id),
    note: remark,
  };
}

function claimedBy(req: Request, { kind }: AuditedRoute): string | undefined {
  const { username } = (req.body ?? {}) as { username?: unknown };
  return kind === 'login' && typeof username === 'string' ? username : undefined;
}

function once(work: (status: number) => Promise<void>): (status: number) => Promise<void> {
  let done: Promise<void> | undefined;
  return (status) => {
    done ??= work(status);
    return done;
  };
}
