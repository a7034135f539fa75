import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { DriverError } from '@holdfast/plugin-api/driver';
import { holdInput } from './hold-input.js';
import type { RunningTool } from './process.js';

/**
 * Writes the tool's input, and closes it only if the source ended normally: a tool accepts any end of its input.
 * Returns null, or why the input was incomplete; the tool was then ended or had ended by itself.
 */
export async function feed(running: RunningTool, input: AsyncIterable<Buffer>): Promise<unknown> {
  const { stdin, identity } = running;
  if (stdin === null || identity === null) return null;
  void running.ended.then(holdInput(identity.pid, stdin));
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

/** Only padding follows the end mark of a stream. The tool need not read it. */
function assertPadding(piece: Buffer): void {
  if (piece.some((byte) => byte !== 0))
    throw new DriverError('failed', 'Borg did not read all of the data: the stream was damaged.');
}

export async function drained(stdin: Writable): Promise<void> {
  const waiting = new AbortController();
  const event = (name: string) => once(stdin, name, { signal: waiting.signal }).catch(() => {});
  await Promise.race([event('drain'), event('close')]);
  waiting.abort();
}
