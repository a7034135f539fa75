import { type Access, neededRight } from '@holdfast/contracts';
import type { ContractRoute } from './contract-routes.js';
import type { WireAnswer } from './exchange.js';

/** Someone who calls every route. */
export interface Visitor {
  name: string;
  /** What a request of theirs says of them; `fresh` where the call may end the token that they bring. */
  credentials(fresh: boolean): Credentials | Promise<Credentials>;
  /** Nobody, where what they bring must not be believed. */
  standing: 'nobody' | 'user' | 'admin';
  readOnly?: boolean;
  summaryOnly?: boolean;
  /** A limited user, or a narrowed token. */
  limited?: boolean;
  /** They bring it in the query. */
  inQuery?: boolean;
  mustChangePassword?: boolean;
  /** A browser session that has not confirmed its password. */
  unconfirmed?: boolean;
  /** They bring the cookie of a session, from a page of the service. */
  ownPage?: boolean;
}

export interface Credentials {
  headers?: Record<string, string>;
  query?: string;
}

/** What the contracts promise a visitor: in, or the status that keeps them out. */
export function promised(
  { method, path, access }: { method: string; path: string; access: Access },
  visitor: Visitor,
) {
  if (access.cookie) return visitor.ownPage ? 'in' : 403;
  if (access.who === 'public') return 'in';
  if (visitor.standing === 'nobody') return 401;
  if (visitor.inQuery && !access.tokenInQuery) return 401;
  if (visitor.mustChangePassword && !access.beforePasswordChange) return 403;
  if (visitor.summaryOnly && !access.summaryTokens) return 403;
  const granted = visitor.limited && neededRight({ method, path });
  if (visitor.limited ? !granted : access.who === 'admin' && visitor.standing !== 'admin') return 403;
  const looksOnly = access.readOnlyTokens ?? method === 'GET';
  if (visitor.readOnly && !looksOnly) return 403;
  return visitor.unconfirmed && access.confirm === 'always' ? 403 : 'in';
}

/** What is wrong with a route before anyone calls it. */
export function judgeMetadata({ name, metadata }: ContractRoute): string[] {
  const { who } = metadata?.access ?? {};
  if (who === 'public' || who === 'any' || who === 'admin') return [];
  return [`${name} does not say in its metadata who may call it`];
}

/** How the answers to one visitor differ from the promise: for an object that exists, and for one that does not. */
export function judgeAnswers(
  { name, method, path, metadata }: ContractRoute,
  visitor: Visitor,
  { existing, missing }: { existing?: WireAnswer; missing: WireAnswer },
): string[] {
  const access = metadata?.access;
  if (!access) return [];
  const expected = promised({ method, path, access }, visitor);
  const say = (what: string) => [`${name}, ${visitor.name}: ${what}`];
  const keptOut = missing.status === 401 || missing.status === 403;
  if (expected === 'in') return keptOut ? say(`${missing.status}, but they may call it`) : [];
  if (missing.status !== expected) return say(`${missing.status} instead of ${expected}`);
  const challenge = missing.headers['www-authenticate'] ?? '';
  if (expected === 401 && !challenge.startsWith('Bearer')) return say('401 without WWW-Authenticate: Bearer');
  if (existing && told(existing) !== told(missing)) return say('the answer tells whether the object exists');
  return [];
}

/** What differs from one answer to the next, whatever is asked for. */
const passing = /^(date|x-request-id|connection|keep-alive|retry-after|(x-)?ratelimit.*)$/;

/** All of an answer that could tell two objects apart. */
export function told({ status, headers, body }: WireAnswer): string {
  const lasting = Object.entries(headers).filter(([name]) => !passing.test(name));
  return JSON.stringify([status, lasting, body.toString('latin1')]);
}
