import { basic } from './request-headers.js';
import type { Webhook } from './service-url.js';

const longestText = 300;
const longestRead = 4_096;

/**
 * The beginning of the receiver's answer, on one line, without the parts of the service URL that it repeats. Empty if
 * there is nothing readable.
 */
export async function maskedExcerpt(body: AsyncIterable<Buffer>, webhook: Webhook): Promise<string> {
  let text = (await beginning(body)).toString('utf8');
  for (const secret of secretsOf(webhook)) text = text.replaceAll(secret, '***');
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line;
}

async function beginning(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= longestRead) break;
    }
  } catch {
    // The status is known; a truncated text does not matter.
  }
  return Buffer.concat(chunks).subarray(0, longestRead);
}

/** Longest first: one may be part of another. */
function secretsOf({ target, user, password, headers, fields }: Webhook): string[] {
  const own = [
    password,
    ...Object.values(headers),
    ...Object.values(fields),
    ...target.searchParams.values(),
  ];
  const authorization = user === '' && password === '' ? [] : [basic(user, password).slice('Basic '.length)];
  const place = [target.href, target.search.slice(1), `${target.pathname}${target.search}`];
  const parts = target.pathname.split('/').filter((part) => part.length >= 16);
  const all = [...own, ...authorization, ...place, ...parts];
  return [...new Set(all.flatMap((text) => [text, encodeURIComponent(text)]))]
    .filter((text) => text.length >= 4)
    .sort((a, b) => b.length - a.length);
}
