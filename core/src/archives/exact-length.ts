import { Transform } from 'node:stream';

/**
 * Passes exactly `size` bytes. A source that ends before them is an error, so that a file that was cut off never
 * looks whole; what comes after them (a second copy, where an archive lists a file twice) is dropped.
 */
export function exactLength(size: number): Transform {
  let left = size;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const part = chunk.length <= left ? chunk : chunk.subarray(0, left);
      left -= part.length;
      done(null, part);
    },
    flush(done) {
      done(
        left === 0 ? null : new Error(`The backup tool gave ${size - left} of ${size} bytes of the file.`),
      );
    },
  });
}
