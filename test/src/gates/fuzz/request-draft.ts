import type { WireRequest } from '../exchange.js';

/** A request before it is put together: whatever is wrong with it is done to one of these parts. */
export interface Draft {
  method: string;
  /** Path of the route, with `:name` for its parameters. */
  path: string;
  /** Encoded. */
  params: Record<string, string>;
  /** Encoded. */
  query: (readonly [string, string])[];
  headers: Record<string, string>;
  body: { json: unknown } | { raw: string | Buffer } | undefined;
}

/** A change of a draft; it may say no, where there is nothing to change. */
export type Twist = (draft: Draft) => Draft | undefined;

/** The request as it goes over the wire. */
export function assemble({ method, path, params, query, headers, body }: Draft): WireRequest {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name] || '0');
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  const target = search ? `${filled}?${search}` : filled;
  return { method, target, headers, ...(body ? { body: bytesOf(body) } : {}) };
}

const bytesOf = (body: { json: unknown } | { raw: string | Buffer }): string | Buffer =>
  'raw' in body ? body.raw : (JSON.stringify(body.json) ?? '');

/** As addresses hold it; lone surrogates, which no address can hold, become question marks. */
export const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** For people, to send it again by hand. */
export function describeRequest({ method, target, headers, body }: WireRequest): string {
  const shown = Object.entries(headers ?? {}).filter(([name]) => name !== 'authorization');
  const text = typeof body === 'string' ? body : body?.toString('latin1');
  const parts = [`${method} ${target}`, ...shown.map(([name, value]) => `${name}: ${value}`)];
  return [...parts, ...(text === undefined ? [] : [JSON.stringify(text)])].map(shortened).join(' | ');
}

const longest = 400;
const shortened = (text: string) =>
  text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
