import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { DeliveryError, limitedSignal } from '@holdfast/plugin-api';
import { failureOf } from './failure.js';
import { ForbiddenAddressError, type Forbidding, forbiddenLiteral, guardedLookup } from './guarded-lookup.js';

/** For one attempt. */
const attemptTimeoutMs = 20_000;
const longestRead = 4_096;

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  verifyCertificate: boolean;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  /** The beginning; empty after a success. */
  text: string;
}

/** Makes one POST request, without following redirects. @throws DeliveryError when there is no answer */
export async function post(
  { url, headers, body, verifyCertificate }: Post,
  { isForbidden, signal }: { isForbidden: Forbidding; signal: AbortSignal },
): Promise<Answer> {
  const target = new URL(url);
  const limited = limitedSignal(attemptTimeoutMs, signal);
  const options = {
    method: 'POST',
    agent: false as const,
    signal: limited,
    rejectUnauthorized: verifyCertificate,
    lookup: guardedLookup(isForbidden),
    headers: { 'user-agent': 'Holdfast', ...headers, 'content-length': Buffer.byteLength(body) },
  };
  try {
    limited.throwIfAborted();
    const literal = forbiddenLiteral(target.hostname, isForbidden);
    if (literal !== null) throw new ForbiddenAddressError(literal);
    return await new Promise((resolve, reject) => {
      const send = target.protocol === 'https:' ? overHttps : overHttp;
      const request = send(target, options, (answer) => void readAnswer(answer).then(resolve));
      request.on('error', reject).end(body);
    });
  } catch (error) {
    throw failureOf(target.host, limited.aborted ? limited.reason : error);
  }
}

/** Reads only the beginning, and leaves the rest unread. If it is cut off, the status is known and that is enough. */
async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = answer;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    if (!isSuccess(status)) {
      for await (const chunk of answer) {
        chunks.push(chunk as Buffer);
        length += (chunk as Buffer).length;
        if (length >= longestRead) break;
      }
    }
  } catch {
    chunks.length = 0;
  }
  answer.destroy();
  return { status, headers, text: Buffer.concat(chunks).subarray(0, longestRead).toString('utf8') };
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Overload and time-outs pass. */
export const isTemporary = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

const longestPauseMs = 3_600_000;

/** What the receiver asks for, in a header or in JSON; at most an hour, so that nobody can silence a setting. */
export function retryAfterMs({ headers, text }: Pick<Answer, 'headers' | 'text'>): number | undefined {
  const header = headers['retry-after'];
  const seconds = header === undefined ? secondsIn(text) : Number(header);
  const pause = Number.isNaN(seconds) ? Date.parse(String(header)) - Date.now() : seconds * 1000;
  return pause > 0 ? Math.min(Math.ceil(pause), longestPauseMs) : undefined;
}

function secondsIn(text: string): number {
  const found = /"retry_after"\s*:\s*(\d+(?:\.\d+)?)/.exec(text)?.[1];
  return found === undefined ? 0 : Number(found);
}

/** A refused message, with a sentence for people. */
export const refusal = (sentence: string, answer: Answer, isRetryable: boolean): DeliveryError => {
  const pause = isRetryable ? retryAfterMs(answer) : undefined;
  return new DeliveryError(sentence, {
    retryable: isRetryable,
    ...(pause !== undefined && { retryAfterMs: pause }),
  });
};
