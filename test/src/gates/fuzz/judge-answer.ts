import { isDeepStrictEqual } from 'node:util';
import { type AppRoute, ContractNoBody, isAppRouteOtherResponse } from '@ts-rest/core';
import { z } from 'zod';
import type { WireAnswer } from '../exchange.js';

/** What an answer has that its contract does not allow; null when all is well. */
export function judgeAnswer(
  route: AppRoute,
  { method }: { method: string },
  answer: WireAnswer,
): string | null {
  const { status, body } = answer;
  if (status === 500) return `500: ${start(body)}`;
  const declared = route.responses[status];
  if (declared === undefined) return `the undeclared status ${status}: ${start(body)}`;
  if (method === 'HEAD') return body.length > 0 ? 'a body to HEAD' : null;
  if (declared === ContractNoBody) return body.length > 0 ? `a body with ${status}, which has none` : null;
  if (isAppRouteOtherResponse(declared)) return judgeOther(declared, answer);
  return judgeJson(declared as z.ZodTypeAny, answer);
}

function judgeJson(schema: z.ZodTypeAny, { status, headers, body }: WireAnswer): string | null {
  const type = headers['content-type'] ?? 'none';
  if (!/^application\/json\b/.test(type)) return `the type ${type} with ${status} instead of JSON`;
  let json: unknown;
  try {
    json = JSON.parse(body.toString());
  } catch {
    return `no valid JSON with ${status}: ${start(body)}`;
  }
  const read = schema.safeParse(json);
  const problem = read.success
    ? null
    : read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  if (problem) return `a body with ${status} that its schema does not have: ${problem.join('; ')}`;
  if (isDeepStrictEqual(read.data, json)) return null;
  return `a body with ${status} that holds more than its schema: ${start(body)}`;
}

/** Downloads have the type of their file; a text has the declared one. */
function judgeOther(
  { contentType, body: schema }: { contentType: string; body: unknown },
  { status, headers, body }: WireAnswer,
): string | null {
  const type = headers['content-type'] ?? 'none';
  const anything = contentType.startsWith('application/octet-stream');
  if (!anything && mediaType(type) !== mediaType(contentType)) return `the type ${type} with ${status}`;
  const isText = schema instanceof z.ZodString;
  return isText && !schema.safeParse(body.toString()).success
    ? `a text with ${status} that its schema does not have`
    : null;
}

const mediaType = (type: string) => type.split(';')[0]?.trim().toLowerCase();
const start = (body: Buffer) => body.toString().slice(0, 300);
