import { ContractNoBody } from '@ts-rest/core';
import * as fc from 'fast-check';
import { z } from 'zod';
import { type ContractRoute, parametersOf } from '../contract-routes.js';
import type { WireRequest } from '../exchange.js';
import { arbitraryOf, type Pools } from './arbitrary-of.js';
import { asTexts } from './pools.js';
import { assemble, type Draft, encoded, type Twist } from './request-draft.js';
import { twistsOf } from './twists.js';

export type Standing = 'admin' | 'user' | 'reader' | 'nobody';

export interface FuzzRequest {
  as: Standing;
  request: WireRequest;
}

const standings = fc.oneof(
  { arbitrary: fc.constant<Standing>('admin'), weight: 12 },
  fc.constant<Standing>('user'),
  fc.constant<Standing>('reader'),
  fc.constant<Standing>('nobody'),
);

const formType = 'application/x-www-form-urlencoded';
type Values = Record<string, unknown>;
type Shape = Record<string, z.ZodTypeAny>;

/** Requests to a route: those that its contract takes, and those with something wrong. */
export function requestsTo(described: ContractRoute, pools: Pools): fc.Arbitrary<FuzzRequest> {
  const { method, path } = described;
  const schemas = schemasOf(described);
  const shape = twistsOf({
    params: parametersOf({ path }),
    query: Object.keys(schemas.query),
    hasBody: schemas.body !== undefined,
    isGet: method === 'GET',
  });
  const twists = fc.oneof(
    { arbitrary: shape, weight: 3 },
    { arbitrary: fc.constant<Twist[]>([]), weight: 2 },
  );
  const texts = (part: Shape) => arbitraryOf(z.object(part), { pools: asTexts(pools), field: '' });
  const parts = {
    as: standings,
    params: texts(schemas.params) as fc.Arbitrary<Values>,
    query: texts(schemas.query) as fc.Arbitrary<Values>,
    headers: texts(schemas.headers) as fc.Arbitrary<Values>,
    json: schemas.body ? arbitraryOf(schemas.body, { pools, field: '' }) : fc.constant(undefined),
    asForm: fc.boolean(),
    twists,
  };
  return fc.record(parts).map(({ as, params, query, headers, json, asForm, twists: chosen }) => {
    const body = schemas.body ? bodyOf(described, { json, asForm }) : undefined;
    const draft: Draft = {
      method,
      path,
      params: encodedValues(params),
      query: Object.entries(query).map(([name, value]) => [encoded(name), encoded(textOf(value))]),
      headers: { ...headerValues(headers), ...body?.headers },
      body: body?.body,
    };
    const twisted = chosen.reduce<Draft>((one, twist) => twist(one) ?? one, draft);
    return { as, request: assemble(twisted) };
  });
}

function schemasOf({ path, route }: ContractRoute) {
  const shapeOf = (schema: unknown): Shape => (schema instanceof z.ZodObject ? schema.shape : {});
  const declared = shapeOf(route.pathParams);
  const params = Object.fromEntries(
    parametersOf({ path }).map((name) => [name, declared[name] ?? z.string().min(1)]),
  );
  const body = 'body' in route && route.body !== ContractNoBody && route.body ? route.body : undefined;
  return {
    params,
    query: shapeOf(route.query),
    headers: headersOf(route.headers),
    body: body as z.ZodTypeAny | undefined,
  };
}

/** Headers of a contract are a schema, or a record of them. */
const headersOf = (headers: unknown): Shape =>
  headers instanceof z.ZodObject ? headers.shape : ((headers ?? {}) as Shape);

/** Some objects of the fuzz have no `toString`. */
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

const encodedValues = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encoded(textOf(value))]));

/** Only what a header may hold. */
const headerValues = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, textOf(value).replace(/[^\x20-\x7e]/g, '')]),
  );

function bodyOf(
  { metadata, route }: ContractRoute,
  { json, asForm }: { json: unknown; asForm: boolean },
): Pick<Draft, 'headers' | 'body'> {
  if (metadata?.upload) return multipart(metadata.upload.part, json);
  if ('contentType' in route && route.contentType === formType && asForm) {
    const pairs = Object.entries((json ?? {}) as Values).map(([name, value]): [string, string] => [
      name,
      textOf(value),
    ]);
    return { headers: { 'content-type': formType }, body: { raw: `${new URLSearchParams(pairs)}` } };
  }
  if (json === undefined) return { headers: {}, body: undefined };
  return { headers: { 'content-type': 'application/json' }, body: { json } };
}

function multipart(part: string, content: unknown): Pick<Draft, 'headers' | 'body'> {
  const boundary = 'a-boundary-of-the-fuzz';
  const head = `Content-Disposition: form-data; name="${part}"; filename="key"`;
  const raw = `--${boundary}\r\n${head}\r\n\r\n${JSON.stringify(content)}\r\n--${boundary}--\r\n`;
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body: { raw } };
}
