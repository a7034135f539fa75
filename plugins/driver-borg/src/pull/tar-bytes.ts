import { DriverError, type HostProcess } from '@holdfast/plugin-api/driver';
import type { TarMessages } from './tar-messages.js';

const block = 512;
const endMark = 2 * block;

/**
 * The output of tar. It ends only if it is complete: tar's own end mark was seen, and tar ended by itself. Otherwise
 * it throws, and the data must not become an archive.
 */
export async function* tarBytes(process: HostProcess, messages: TarMessages): AsyncGenerator<Buffer> {
  let size = 0;
  let tail: Buffer = Buffer.alloc(0);
  for await (const piece of process.stdout as AsyncIterable<Buffer>) {
    size += piece.length;
    tail = lastOf(tail, piece);
    yield piece;
  }
  const { code, signal } = await process.exit;
  messages.code = code;
  const whole = size >= endMark && size % block === 0 && tail.every((byte) => byte === 0);
  if (whole && (code === 0 || code === 1 || code === 2) && messages.fatal === null) return;
  if (code === null)
    throw new DriverError('connection', `The host ended the transfer${signal ? ` (${signal})` : ''}.`);
  const reason = messages.fatal ?? messages.warnings.at(-1) ?? `It ended with code ${code}.`;
  throw new DriverError('failed', `tar on the host did not send all of the data. ${reason}`);
}

const lastOf = (tail: Buffer, piece: Buffer): Buffer =>
  piece.length >= endMark
    ? piece.subarray(piece.length - endMark)
    : Buffer.concat([tail, piece]).subarray(-endMark);
