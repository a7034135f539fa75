import type { Readable } from 'node:stream';

const maxBytes = 1024 * 1024;

/** The stream as text, or its beginning if it is very long. */
export async function readAll(stream: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size <= maxBytes) pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
