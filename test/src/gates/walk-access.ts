import { type ContractRoute, fillPath } from './contract-routes.js';
import { exchange, type WireAnswer } from './exchange.js';
import { fewAtOnce } from './few-at-once.js';
import { type Credentials, judgeAnswers, judgeMetadata, promised, type Visitor } from './judge-access.js';

export interface Ground {
  base: string;
  routes: readonly ContractRoute[];
  visitors: readonly Visitor[];
  /** A value of a path parameter behind which there is an object. */
  existing(parameter: string): string;
}

interface Visit {
  route: ContractRoute;
  visitor: Visitor;
}

/** An id and a name that nothing has. */
export const nowhere = '9007199254740991';

/**
 * Calls every route as every visitor, and tells what is not as the contracts declare. Who may call a route names what
 * does not exist, in a body that no schema takes: so the walk changes next to nothing.
 */
export async function walkAccess(ground: Ground): Promise<string[]> {
  const visits = ground.routes.flatMap((route) => ground.visitors.map((visitor) => ({ route, visitor })));
  const findings = await fewAtOnce(visits, (each) => visit(ground, each));
  return [...ground.routes.flatMap(judgeMetadata), ...findings.flat()].sort();
}

async function visit(ground: Ground, { route, visitor }: Visit): Promise<string[]> {
  const access = route.metadata?.access;
  if (!access) return [];
  const mayEnter = promised({ ...route, access }, visitor) === 'in';
  // Nothing else ends a token; if it did, the next call would be refused.
  const fresh = mayEnter && route.method !== 'GET' && route.path.startsWith('/api/auth/');
  const ask = async (valueFor: (parameter: string) => string) =>
    call(ground.base, route, { valueFor, credentials: await visitor.credentials(fresh) });
  const missing = await ask(() => nowhere);
  if (mayEnter) return judgeAnswers(route, visitor, { missing });
  return judgeAnswers(route, visitor, { missing, existing: await ask(ground.existing) });
}

function call(
  base: string,
  { method, path }: ContractRoute,
  { valueFor, credentials }: { valueFor: (parameter: string) => string; credentials: Credentials },
): Promise<WireAnswer> {
  const query = [`repository_id=${valueFor('repository_id')}`, credentials.query ?? []].flat().join('&');
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const json: Record<string, string> = hasBody ? { 'content-type': 'application/json' } : {};
  return exchange(base, {
    method,
    target: `${fillPath(path, valueFor)}?${query}`,
    headers: { ...credentials.headers, ...json },
    ...(hasBody ? { body: '7' } : {}),
  });
}
