import { Readable } from 'node:stream';

const block = 512;
const usualFolder = 1000;

/** Reproducible numbers from 0 to 2^32 - 1. */
function mix(number, seed) {
  let state = Math.imul(number ^ Math.imul(seed + 1, 0x9e3779b1), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

const octal = (number, width) => number.toString(8).padStart(width - 1, '0');

function header({ name, type, size, mtime }) {
  const bytes = Buffer.alloc(block);
  bytes.write(name, 0, 100, 'ascii');
  bytes.write(type === '5' ? octal(0o755, 8) : octal(0o644, 8), 100);
  bytes.write(octal(0, 8), 108);
  bytes.write(octal(0, 8), 116);
  bytes.write(octal(size, 12), 124);
  bytes.write(octal(mtime, 12), 136);
  bytes.write('        ', 148);
  bytes.write(type, 156);
  bytes.write('ustar\u000000', 257, 'latin1');
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${octal(sum, 7)}\0 `, 148, 'latin1');
  return bytes;
}

const directoryOf = (n, filesInFolder = usualFolder) => {
  const number = Math.floor(n / filesInFolder);
  return `data/area-${Math.floor(number / 100)}/dir-${number}`;
};
export const folderOfFile = directoryOf;
const nameOfFile = (n) => `a-file-with-a-name-of-usual-length-${n}.txt`;

/**
 * A tar stream of that many small files in folders of `filesInFolder`, with individual times and sizes. With `version` k, k
 * times one file in a hundred differs from version 0.
 */
export function archiveStream({ files, version = 0, filesInFolder = usualFolder }) {
  const epoch = 1_700_000_000;
  function* pieces() {
    for (let n = 0; n < files; n++) {
      const folder = directoryOf(n, filesInFolder);
      if (n % filesInFolder === 0) {
        yield header({ name: `${folder}/`, type: '5', size: 0, mtime: epoch + n });
      }
      const change = mix(n, 7) % 100;
      const changed = change < version ? change + 1 : 0;
      const size = 1 + (mix(n, 100 + changed) % 400);
      const mtime = epoch + (mix(n, 200 + changed) % 31_536_000);
      const content = Buffer.alloc(block, 97 + (size % 26)).fill(0, size);
      yield header({ name: `${folder}/${nameOfFile(n)}`, type: '0', size, mtime });
      yield content;
    }
    yield Buffer.alloc(2 * block);
  }
  function* large() {
    let held = [];
    let bytes = 0;
    for (const piece of pieces()) {
      held.push(piece);
      bytes += piece.length;
      if (bytes < 1 << 20) continue;
      yield Buffer.concat(held);
      held = [];
      bytes = 0;
    }
    yield Buffer.concat(held);
  }
  return Readable.from(large(), { objectMode: false });
}
