import { constants, inflateRawSync, inflateSync } from 'node:zlib';

export interface Unpacked {
  how: string;
  bytes: Buffer;
}

/** Long enough to hold a compressed secret. */
const encodedRun = /[A-Za-z0-9+/_-]{40,}/g;
const hexRun = /[0-9a-f]{40,}/gi;
const mostBytes = 64 << 20;
const gzipHead = 10;
/** What was cut off is looked at too. */
const partly = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostBytes };

/** What is packed into a content, wherever it begins: zlib and gzip, and both again behind base64 and hex. */
export function* unpacked(content: Buffer): Generator<Unpacked> {
  yield* inflated(content);
  const text = content.toString('latin1');
  for (const { encoding, run } of [
    { encoding: 'base64', run: encodedRun },
    { encoding: 'hex', run: hexRun },
  ] as const) {
    for (const [found] of text.matchAll(run)) {
      // What stands before it may look like a part of it.
      for (const before of encoding === 'hex' ? [0, 1] : [0, 1, 2, 3]) {
        for (const { how, bytes } of inflated(Buffer.from(found.slice(before), encoding))) {
          yield { how: `${how} in ${encoding}`, bytes };
        }
      }
    }
  }
}

function* inflated(content: Buffer): Generator<Unpacked> {
  for (let at = 0; at + 2 <= content.length; at++) {
    const first = content[at];
    if (first === 0x78 && content.readUInt16BE(at) % 31 === 0) {
      const bytes = tried(() => inflateSync(content.subarray(at), partly));
      if (bytes) yield { how: 'zlib', bytes };
    } else if (first === 0x1f && content[at + 1] === 0x8b && content[at + 2] === 8) {
      const bytes = tried(() => inflateRawSync(content.subarray(at + gzipHead), partly));
      if (bytes) yield { how: 'gzip', bytes };
    }
  }
}

/** Most places that look like a beginning are none. */
function tried(work: () => Buffer): Buffer | null {
  try {
    const bytes = work();
    return bytes.length >= 8 ? bytes : null;
  } catch {
    return null;
  }
}
