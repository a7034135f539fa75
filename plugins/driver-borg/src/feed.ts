import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { DriverError } from '@holdfast/plugin-api/driver';
import type { RunningTool } from './process.js';

/**
 * Gives the tool its input, and the end of it only when the source ended well: a tool takes any end for the right
 * one. Returns why the input did not arrive whole, or null; then the tool was ended, or had ended by itself.
 */
export async function feed(running: RunningTool, input: AsyncIterable<Buffer>): Promise<unknown> {
  const { stdin } = running;
  if (stdin === null) return null;
  try {
    for await (const piece of input) {
      if (stdin.destroyed) assertPadding(piece);
      else if (!stdin.write(piece)) await drained(stdin);
    }
  } catch (error) {
    if (!stdin.destroyed) await running.stop();
    return error;
  }
  stdin.end();
  return null;
}

/** After the end mark of a stream comes only padding, which the tool need not read. */
function assertPadding(piece: Buffer): void {
  if (piece.some((byte) => byte !== 0))
    throw new DriverError('failed', 'borg did not read the data to its end: the stream was damaged.');
}

async function drained(stdin: Writable): Promise<void> {
  const waiting = new AbortController();
  const event = (name: string) => once(stdin, name, { signal: waiting.signal }).catch(() => {});
  await Promise.race([event('drain'), event('close')]);
  waiting.abort();
}
