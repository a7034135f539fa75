import { nameOfBytes } from '../../archives/lossless-bytes.rules.js';
import type { Standing } from '../stage/target.js';

export interface NamedStanding {
  name: string;
  standing: Standing;
}

/** Reads `type device inode ctime size mode name`. */
export function parseStanding(record: Buffer): NamedStanding {
  let at = 0;
  const word = () => {
    const end = record.indexOf(0x20, at);
    const text = record.toString('latin1', at, end);
    at = end + 1;
    return text;
  };
  const type = word();
  const standing = {
    dev: BigInt(word()),
    ino: BigInt(word()),
    ctimeNs: nanoseconds(word()),
    size: BigInt(word()),
    mode: BigInt(`0o${word()}`),
    isFile: () => type === 'f',
    isDirectory: () => type === 'd',
    isSymbolicLink: () => type === 'l',
  };
  return { name: nameOfBytes(record.subarray(at)), standing };
}

function nanoseconds(text: string): bigint {
  const [seconds = '0', fraction = ''] = text.split('.');
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}
