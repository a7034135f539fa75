import { once } from 'node:events';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { noteAnswer } from '../audit/audit-requests.js';
import { attachment } from './attachment.js';

export interface Download {
  stream: Readable | AsyncIterable<string | Uint8Array>;
  fileName: string;
  contentType: string;
  /** In bytes, if known in advance. */
  size?: number;
}

/**
 * Sends a download. An error before the first byte rejects and becomes a normal error response; a later one
 * closes the connection, so that a partial file is never taken for the whole. A disconnecting client ends the
 * source. Never resolves, so that ts-rest does not respond again.
 */
export async function sendDownload(
  res: Response,
  { stream: source, fileName, contentType, size }: Download,
): Promise<never> {
  // Each layer of a request listens for the end of its response, and a pipeline several times.
  res.setMaxListeners(30);
  const stream = source instanceof Readable ? source : Readable.from(source, { objectMode: false });
  await firstByte(stream, res);
  await noteAnswer(res, 200);
  res.status(200);
  res.setHeader('Content-Type', contentType);
  res.setHeader('Content-Disposition', attachment(fileName));
  res.setHeader('Accept-Ranges', 'none');
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
  if (size !== undefined) res.setHeader('Content-Length', size);
  if (res.req.method === 'HEAD') {
    stream.destroy();
    res.end();
    return neverSettles();
  }
  await pipeline(stream, res).catch((error: unknown) => {
    res.destroy(error instanceof Error ? error : undefined);
    throw error;
  });
  return neverSettles();
}

const neverSettles = () => new Promise<never>(() => {});

/** Resolves when the stream is readable or at its end; rejects if it fails before. */
async function firstByte(stream: Readable, res: Response): Promise<void> {
  const gone = new AbortController();
  const leave = () => {
    gone.abort();
    stream.destroy();
  };
  res.once('close', leave);
  if (res.destroyed) leave();
  try {
    if (stream.readableLength === 0 && !stream.readableEnded) {
      await Promise.race([
        once(stream, 'readable', { signal: gone.signal }),
        finished(stream, { signal: gone.signal, cleanup: true }),
      ]);
    }
  } finally {
    gone.abort();
    res.off('close', leave);
  }
}
