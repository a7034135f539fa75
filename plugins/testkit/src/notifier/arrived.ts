import assert from 'node:assert/strict';
import type { SinkRequest } from './sink.js';

/** Fails unless the request contains the whole text: in its address, headers or body, in the usual encodings. */
export function assertCarries(request: SinkRequest | undefined, text: string, what: string): void {
  const found = request !== undefined && textsOf(request).some((place) => place.includes(text));
  assert.ok(found, `${what} did not arrive unchanged`);
}

function textsOf({ path, headers, body }: SinkRequest): string[] {
  const query = path.split('?')[1] ?? '';
  return [
    body,
    ...Object.values(headers).flatMap((value) => [value, asUtf8(value), unescaped(value)]),
    ...new URLSearchParams(query).values(),
    ...new URLSearchParams(body).values(),
    ...jsonTexts(body).flatMap((text) => [text, withoutEntities(text)]),
  ];
}

/** Every text inside a JSON value; none if it is not JSON. */
function jsonTexts(body: string): string[] {
  try {
    return leaves(JSON.parse(body));
  } catch {
    return [];
  }
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(leaves) : [];
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
const withoutEntities = (text: string) =>
  text.replace(/&(amp|lt|gt);/g, (entity) => entities[entity] ?? entity);

/** Node reads headers as Latin-1. */
const asUtf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8');

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
