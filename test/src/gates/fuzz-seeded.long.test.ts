import { failures, idText, type RouteMetadata } from '@holdfast/contracts';
import { initContract } from '@ts-rest/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { routesOf } from './contract-routes.js';
import { fuzzRoutes } from './fuzz/fuzz-routes.js';
import { type SmallAnswer, startSmallService } from './small-service.js';

const c = initContract();
const metadata: RouteMetadata = { access: { who: 'public' }, tag: 'seeded' };
const thing = z.object({ name: z.string().max(20), size: z.number().int().min(0).max(100).optional() });
const things = c.router({
  change: {
    method: 'PUT',
    path: '/things/:id',
    pathParams: z.object({ id: idText }),
    query: z.object({ search: z.string().optional() }),
    body: thing,
    responses: { 200: thing, ...failures },
    metadata,
  },
});
const { change } = things;

interface Received {
  url: string;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Undefined when the text is no JSON. */
  json: unknown;
}

const mostRounds = 300;

/** The first finding about a service that checks what it gets, but where `fault` answers otherwise. */
async function findingWith(
  fault: (got: Received) => SmallAnswer | null | undefined | Promise<SmallAnswer>,
  rounds = mostRounds,
) {
  const kept: { rows: Record<string, unknown>[] } = { rows: [] };
  const service = await startSmallService(async ({ url = '', headers }, text) => {
    const json = parsed(text);
    const answer = await fault({ url, headers, text, json });
    if (answer !== undefined) {
      if (answer?.headers?.['x-keeps']) kept.rows.push({ id: kept.rows.length });
      return answer;
    }
    const read = thing.safeParse(json);
    if (!read.success || Number.isNaN(Number(idOf(url)))) return { status: 400, body: { detail: 'Wrong.' } };
    return { status: 200, body: read.data };
  });
  const state = {
    version: async () => kept.rows.length,
    quiet: async () => {},
    dump: async () => new Map([['thing', [...kept.rows]]]),
    mend: async () => {},
  };
  const ground = {
    base: service.base,
    routes: routesOf(things),
    pools: () => undefined,
    state,
    headersOf: () => ({}),
  };
  try {
    const options = { seed: 7, rounds, budgetMs: 20_000, withinMs: 300 };
    return (await fuzzRoutes(ground, options)).findings.join('\n');
  } finally {
    await service.end();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const idOf = (url: string) => /^\/things\/([^?]*)/.exec(url)?.[1] ?? '';
const failed = { status: 500, body: { detail: 'Internal server error.' } };
const whole = (json: unknown) => change.body.safeParse(json);

test('passes a service that follows its contract', async () => {
  expect(await findingWith(() => undefined, 20)).toBe('');
});

test.each<[string, RegExp, (got: Received) => SmallAnswer | null | undefined | Promise<SmallAnswer>]>([
  ['a failure', /: 500: /, ({ json }) => (whole(json).success ? failed : undefined)],
  [
    'a status that is not declared',
    /the undeclared status 422/,
    ({ json }) => (whole(json).success ? undefined : { status: 422, body: { detail: 'Wrong.' } }),
  ],
  [
    'a body of another shape',
    /a body with 200 that its schema does not have: name/,
    ({ json }) => (whole(json).success ? { status: 200, body: { name: 7 } } : undefined),
  ],
  [
    'a body that tells more than its schema',
    /holds more than its schema: .*secret/,
    ({ json }) => (whole(json).success ? { status: 200, body: { name: 'x', secret: 'y' } } : undefined),
  ],
  [
    'an error that is no JSON',
    /the type text\/html with 400/,
    ({ json }) =>
      json === undefined ? { status: 400, headers: { 'content-type': 'text/html' }, body: '<p>' } : undefined,
  ],
  [
    'an answer that does not come',
    /no whole answer within 0.3 s/,
    ({ json }) => (whole(json).data?.size === 0 ? new Promise(() => {}) : undefined),
  ],
  ['a connection that breaks', /the connection broke/, ({ text }) => (text === '' ? null : undefined)],
  [
    'a refusal that changes something',
    /400, and yet there are changes: \+thing/,
    ({ json }) =>
      whole(json).success
        ? undefined
        : { status: 400, headers: { 'x-keeps': '1' }, body: { detail: 'Wrong.' } },
  ],
])('finds %s', async (_what, expected, fault) => {
  expect(await findingWith(fault)).toMatch(expected);
});

/** That a service fails at such a request is found: so such requests are made. */
test.each<[string, (got: Received) => boolean]>([
  ['the longest text that is allowed', ({ json }) => whole(json).data?.name.length === 20],
  ['a text that is too long', ({ json }) => ((json as { name?: string } | null)?.name?.length ?? 0) > 1000],
  ['NUL in a text', ({ text }) => text.includes('\\u0000')],
  ['a lone surrogate', ({ text }) => text.includes('\\ud800')],
  ['a key of the prototype', ({ text }) => text.includes('"__proto__":')],
  ['deep nesting', ({ text }) => text.includes('['.repeat(1000))],
  ['broken JSON', ({ text, json }) => text !== '' && json === undefined],
  ['more than a megabyte', ({ text }) => text.length > 1_000_000],
  ['a number beyond all bounds', ({ text }) => /\d{300}/.test(text)],
  ['a missing field', ({ json }) => typeof json === 'object' && json !== null && !('name' in json)],
  ['another content type', ({ headers }) => headers['content-type'] === 'text/plain'],
  ['a compressed body', ({ text }) => text.startsWith('\x1f')],
  ['a repeated query key', ({ url }) => /search=.*search=/.test(url)],
  ['a wrong percent encoding', ({ url }) => /%(zz|ff|$|&)/.test(url)],
  ['an id that is none', ({ url }) => idOf(url) === '1e2'],
  ['an odd header', ({ headers }) => headers['if-match'] === '"'],
])('tries %s', async (_what, isIt) => {
  expect(await findingWith((got) => (isIt(got) ? failed : undefined))).toMatch(/: 500: /);
});
