import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import type { ContractRoute } from '../contract-routes.js';
import { exchange, NoAnswer, type WireAnswer } from '../exchange.js';
import type { Pools } from './arbitrary-of.js';
import { judgeAnswer } from './judge-answer.js';
import { describeRequest } from './request-draft.js';
import { type FuzzRequest, requestsTo, type Standing } from './request-of.js';
import { changesBetween, type ServiceState } from './service-state.js';

export interface FuzzGround {
  base: string;
  routes: readonly ContractRoute[];
  pools: Pools;
  state: ServiceState;
  /** What a request of such a caller says of them. */
  headersOf(standing: Standing): Record<string, string>;
}

export interface FuzzOptions {
  /** Of the first round; each further one has the next. */
  seed: number;
  /** Each round calls each route some times. */
  rounds: number;
  /** To each route in a round. */
  requests?: number;
  /** No round begins, and after the first one no route, when this is over. */
  budgetMs: number;
  /** A request must be answered within this. */
  withinMs?: number;
}

export interface FuzzReport {
  /** One for each route at most: the first that was found, made as small as it goes. */
  findings: string[];
  /** How many requests each route answered with each status. */
  statuses: Map<string, Map<number, number>>;
}

const requestsOfARound = 6;

/** Calls every route with requests made from its contract, and tells which answers break a promise. */
export async function fuzzRoutes(ground: FuzzGround, options: FuzzOptions): Promise<FuzzReport> {
  const statuses = new Map(ground.routes.map(({ name }) => [name, new Map<number, number>()]));
  const findings = new Map<string, string>();
  const end = Date.now() + options.budgetMs;
  for (let round = 0; round < options.rounds; round++) {
    for (const route of ground.routes.filter(({ name }) => !findings.has(name))) {
      if (round > 0 && Date.now() > end) break;
      const counts = statuses.get(route.name) ?? new Map();
      const seed = options.seed + round;
      const finding = await fuzzRoute(ground, route, { ...options, seed, counts });
      if (finding) findings.set(route.name, `${route.name}: ${finding} (seed ${seed})`);
    }
  }
  return { findings: [...findings.values()], statuses };
}

interface RouteRun extends Pick<FuzzOptions, 'seed' | 'withinMs' | 'requests'> {
  counts: Map<number, number>;
}

async function fuzzRoute(ground: FuzzGround, route: ContractRoute, run: RouteRun): Promise<string | null> {
  const { state } = ground;
  const { seed, counts, withinMs, requests = requestsOfARound } = run;
  const suspects: FuzzRequest[] = [];
  const beginning = await state.version();
  const property = fc.asyncProperty(requestsTo(route, ground.pools), async (request) => {
    const before = await state.version();
    const answer = await send(ground, request, withinMs);
    if (typeof answer === 'string') throw new Finding(answer, request);
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    const fault = judgeAnswer(route.route, request.request, answer);
    if (fault) throw new Finding(fault, request);
    const wrote = (await state.version()) !== before;
    if (wrote && answer.status >= 400 && suspects.length < mostSuspects) suspects.push(request);
  });
  const result = await fc.check(property, {
    seed: mixed(seed, route.name),
    numRuns: requests,
    interruptAfterTimeLimit: routeLimitMs,
  });
  if (result.errorInstance) return wordsFor(result.errorInstance);
  const finding = await stateFinding(ground, suspects, withinMs);
  if ((await state.version()) !== beginning) await settle(state);
  return finding;
}

/** Else the same draws would be made for each route. */
const mixed = (seed: number, name: string): number =>
  createHash('sha256').update(`${seed} ${name}`).digest().readInt32LE(0);

/** Making a finding small may take many slow calls. */
const routeLimitMs = 60_000;

async function settle(state: ServiceState): Promise<void> {
  await state.quiet();
  await state.mend();
}

/** Something else may have been written at the same moment: what is asked again in silence is proof. */
async function stateFinding(
  ground: FuzzGround,
  suspects: FuzzRequest[],
  withinMs?: number,
): Promise<string | null> {
  for (const suspect of suspects) {
    await settle(ground.state);
    const before = await ground.state.dump();
    const answer = await sendOnce(ground, suspect, withinMs);
    if (typeof answer === 'string') return new Finding(answer, suspect).message;
    const changes = changesBetween(before, await ground.state.dump());
    if (answer.status < 400 || changes.length === 0) continue;
    return new Finding(`${answer.status}, and yet there are changes: ${changes.join('; ')}`, suspect).message;
  }
  return null;
}

const mostSuspects = 3;

class Finding extends Error {
  constructor(what: string, { as, request }: FuzzRequest) {
    super(`${what}\n    as ${as}: ${describeRequest(request)}`);
  }
}

/** What is no finding is a fault of the gate itself. */
function wordsFor(error: unknown): string {
  if (!(error instanceof Finding)) throw error;
  return error.message;
}

async function send(ground: FuzzGround, asked: FuzzRequest, withinMs?: number): Promise<WireAnswer | string> {
  const answer = await sendOnce(ground, asked, withinMs);
  const { status } = typeof answer === 'string' ? { status: 0 } : answer;
  const lostRights = status === 401 ? asked.as !== 'nobody' : status === 403 && asked.as === 'admin';
  if (!lostRights || asked.request.headers?.authorization !== undefined) return answer;
  // The callers may have ended their own rights with an earlier request.
  await ground.state.mend();
  return sendOnce(ground, asked, withinMs);
}

async function sendOnce(
  { base, headersOf }: FuzzGround,
  { as, request }: FuzzRequest,
  withinMs?: number,
): Promise<WireAnswer | string> {
  try {
    return await exchange(base, { ...request, headers: { ...headersOf(as), ...request.headers } }, withinMs);
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
}
