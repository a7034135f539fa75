import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { oddBodies, oddContentTypes, oddEncodings, oddHeaders, oddTexts, oddValues } from './odd-values.js';
import { type Draft, encoded, type Twist } from './request-draft.js';

/** What can be done to a request that has a body of JSON. */
const bodyTwists = (): fc.Arbitrary<Twist>[] => [
  fc.tuple(fc.nat(), fc.constantFrom(...oddValues)).map(([where, value]) => changed(where, () => value)),
  fc.nat().map((where) => changed(where, (value) => [value])),
  fc.nat().map((where) => changed(where, (value) => String(value))),
  fc.nat().map((where) => changed(where, () => undefined)),
  fc.constantFrom(...oddBodies).map(rawBody),
  fc.constantFrom('__proto__', 'constructor', 'unknown', '').map(extraField),
  fc.constantFrom(...oddContentTypes).map((type) => withHeaders({ 'content-type': type })),
  fc.constant(compressed),
  fc.constant(rawBody(`{"name":"${'x'.repeat(1_100_000)}"}`)),
];

const queryTwists = (fields: readonly string[]): fc.Arbitrary<Twist>[] => {
  const field = fc.constantFrom(...fields, 'unknown');
  const texts = oddTexts.filter(({ length }) => length < 4000).map(encoded);
  return [
    fc.tuple(field, fc.constantFrom(...texts)).map(([name, text]) => added(name, text)),
    fc.tuple(field, fc.constantFrom(...texts)).map(([name, text]) => instead(name, text)),
    fc.tuple(field, fc.constantFrom(...oddEncodings)).map(([name, text]) => instead(name, text)),
    field.map((name) => added(`${name}[]`, 'x')),
    field.map((name) => added(`${name}[a][b]`, 'x')),
    fc.constantFrom('__proto__', '__proto__[x]', 'constructor', '', '%').map((name) => added(name, '1')),
  ];
};

const pathTwists = (names: readonly string[]): fc.Arbitrary<Twist>[] =>
  names.length === 0
    ? []
    : [
        fc.tuple(fc.constantFrom(...names), fc.constantFrom(...oddEncodings)).map(
          ([name, text]): Twist =>
            (draft) => ({ ...draft, params: { ...draft.params, [name]: text } }),
        ),
      ];

/** One thing that is wrong with a request, or odd about it; sometimes two. */
export function twistsOf(draft: { params: string[]; query: string[]; hasBody: boolean; isGet: boolean }) {
  const kinds = [
    ...(draft.hasBody ? bodyTwists() : []),
    ...queryTwists(draft.query),
    ...pathTwists(draft.params),
    fc.constantFrom(...oddHeaders).map(withHeaders),
    ...(draft.isGet ? [fc.constant<Twist>((one) => ({ ...one, method: 'HEAD' }))] : []),
  ];
  return fc.array(fc.oneof(...kinds), { minLength: 1, maxLength: 2 });
}

const withHeaders =
  (headers: Record<string, string>): Twist =>
  (draft) => ({ ...draft, headers: { ...draft.headers, ...headers } });

const rawBody =
  (raw: string | Buffer): Twist =>
  (draft) => ({ ...draft, body: { raw } });

const added =
  (name: string, text: string): Twist =>
  (draft) => ({ ...draft, query: [...draft.query, [name, text]] });

const instead =
  (name: string, text: string): Twist =>
  (draft) => ({ ...draft, query: [...draft.query.filter(([other]) => other !== name), [name, text]] });

const compressed: Twist = (draft) =>
  draft.body && 'json' in draft.body
    ? {
        ...draft,
        headers: { ...draft.headers, 'content-encoding': 'gzip' },
        body: { raw: gzipSync(JSON.stringify(draft.body.json) ?? '') },
      }
    : undefined;

/** Written as text: a key `__proto__` of a literal would never be sent. */
const extraField =
  (name: string): Twist =>
  ({ body, ...draft }) => {
    const text = body && 'json' in body ? JSON.stringify(body.json) : undefined;
    if (!text?.startsWith('{')) return undefined;
    const comma = text === '{}' ? '' : ',';
    return {
      ...draft,
      body: { raw: `${text.slice(0, -1)}${comma}${JSON.stringify(name)}:{"is_admin":true}}` },
    };
  };

/** A body with another value at one of its places; without the place where the new value is undefined. */
function changed(where: number, change: (value: unknown) => unknown): Twist {
  return (draft: Draft) => {
    if (!draft.body || !('json' in draft.body)) return undefined;
    const json = structuredClone(draft.body.json);
    const places = placesIn(json);
    const place = places[where % places.length];
    if (!place) return undefined;
    const value = change(place.holder[place.key]);
    if (value !== undefined) place.holder[place.key] = value;
    else if (!Array.isArray(place.holder)) delete place.holder[place.key];
    return { ...draft, body: { json } };
  };
}

type Holder = Record<string, unknown>;

function placesIn(value: unknown): { holder: Holder; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}
