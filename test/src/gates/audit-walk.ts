import { type ContractRoute, fillPath, parametersOf } from './contract-routes.js';
import { exchange, NoAnswer } from './exchange.js';

/** What the gate reads of an entry of the audit trail. */
export interface TrailEntry {
  request_id: string | null;
  kind: string;
  action: string;
  status: number | null;
  username: string | null;
  address: string | null;
  object_id: string | null;
}

export interface AuditVisitor {
  name: string;
  /** Null for one who is nobody to the service. */
  username: string | null;
  admin?: boolean;
  /** `fresh` where the call may end it. */
  token(fresh: boolean): Promise<string | null>;
}

export interface AuditGround {
  base: string;
  routes: readonly ContractRoute[];
  visitors: readonly AuditVisitor[];
  /** A value for a parameter of a path; each finds nothing, so that the walk changes little. */
  valueFor(parameter: string): string;
  /** Id of the operation of a route in the documentation. */
  operationOf(route: ContractRoute): string;
  /** All entries of the trail. */
  entries(): Promise<TrailEntry[]>;
}

interface Call {
  id: string;
  route: ContractRoute;
  visitor: AuditVisitor;
  token: string | null;
  status: number;
}

/** What a route has to leave in the trail, by its contract alone; null: nothing. */
export function promisedKind({ method, metadata }: ContractRoute): string | null {
  // Who has no cookie asks for nothing.
  if (metadata?.audit === 'failures') return null;
  if (metadata?.audit === 'login') return 'login';
  if (method !== 'GET') return 'change';
  if (metadata?.audit === 'secret') return 'secret';
  const { download, access } = metadata ?? {};
  if (!download || download.contentType === 'text/event-stream') return null;
  return access?.who === 'public' ? null : 'download';
}

const atOnce = 8;

/** Calls every route as every visitor, and tells which calls did not leave exactly the one right entry, or none. */
export async function walkAudit(ground: AuditGround): Promise<string[]> {
  const open = ground.routes.flatMap((route) => ground.visitors.map((visitor) => ({ route, visitor })));
  const calls: Call[] = [];
  const worker = async () => {
    for (let next = open.shift(); next; next = open.shift()) {
      const id = `audit-walk-${calls.length}-${open.length}`;
      const { route } = next;
      // What is open before the password is changed is about the own account and its tokens.
      const token = await next.visitor.token(route.metadata?.access.beforePasswordChange === true);
      calls.push({ ...next, id, token, status: await call(ground, route, { id, token }) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const entries = await ground.entries();
  return calls.flatMap((each) => judge(ground, each, entries)).sort();
}

async function call(
  { base, valueFor }: AuditGround,
  { method, path }: ContractRoute,
  { id, token }: { id: string; token: string | null },
): Promise<number> {
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const headers: Record<string, string> = {
    'x-request-id': id,
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
  };
  // A secret where it does not belong: it must not come into the trail.
  const target = `${fillPath(path, valueFor)}?repository_id=${valueFor('repository_id')}&token=${token ?? ''}`;
  try {
    return (await exchange(base, { method, target, headers, ...(hasBody ? { body: '7' } : {}) })).status;
  } catch (error) {
    if (error instanceof NoAnswer) return 0;
    throw error;
  }
}

function judge(ground: AuditGround, made: Call, entries: readonly TrailEntry[]): string[] {
  const { id, route, visitor, token, status } = made;
  const say = (what: string) => `${route.name}, ${visitor.name}: ${what}`;
  const found = entries.filter(({ request_id }) => request_id === id);
  const kind = promisedKind(route);
  const shown = kind !== 'secret' || status >= 400 || visitor.admin === true;
  const wanted = kind !== null && shown ? 1 : 0;
  if (found.length !== wanted) return [say(`${found.length} entries instead of ${wanted}`)];
  const [entry] = found;
  if (!entry) return [];
  const last = parametersOf(route).at(-1);
  const expected = {
    kind,
    action: ground.operationOf(route),
    status,
    username: status === 401 || route.metadata?.access.who === 'public' ? null : visitor.username,
    address: '127.0.0.1',
    ...(last === undefined ? {} : { object_id: ground.valueFor(last) }),
  };
  const wrong = Object.entries(expected).filter(([name, value]) => entry[name as keyof TrailEntry] !== value);
  const faults = wrong.map(([name, value]) => `${name} ${entry[name as keyof TrailEntry]}, not ${value}`);
  const told = token !== null && JSON.stringify(entry).includes(token) ? ['it holds the token'] : [];
  return [...faults, ...told].map(say);
}
