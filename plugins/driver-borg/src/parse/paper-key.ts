import { createHash } from 'node:crypto';
import { DriverError } from '@holdfast/plugin-api/driver';

export interface Key {
  /** Of its repository: 64 hexadecimal digits; a printed key has only the first 18. */
  id: string;
  data: Buffer;
}

/** `borg key export --paper`, as lines; null for other texts. Throws DriverError `usage` with the line that is wrong. */
export function readPaperKey(lines: readonly string[]): Key | null {
  const words = lines.map((line) => line.replace(/\s/g, '').toLowerCase());
  const at = words.findIndex((word) => word.startsWith('id:'));
  const [, about = '', count, id = '', sum, check] =
    /^id:((\d{1,3})\/([0-9a-f]{18})\/([0-9a-f]{12}))-([0-9a-f]{2})$/.exec(words[at] ?? '') ?? [];
  if (at < 0) return null;
  if (digest(about, 2) !== check) throw mistyped('id');
  const pieces = Array.from({ length: Number(count) }, (_, n) => {
    const [, digits = '', own] =
      new RegExp(`^(?:${n + 1}:)?([0-9a-f]{2,36})-([0-9a-f]{2})$`).exec(words[at + n + 1] ?? '') ?? [];
    const bytes = Buffer.from(digits, 'hex');
    if (digest(Buffer.from([(n + 1) >> 8, (n + 1) & 0xff, ...bytes]), 2) !== own) throw mistyped(`${n + 1}`);
    return bytes;
  });
  const data = Buffer.concat(pieces);
  if (digest(data, 12) !== sum) throw mistyped('id');
  return { id, data };
}

const digest = (data: Buffer | string, length: number) =>
  createHash('sha256').update(data).digest('hex').slice(0, length);

const mistyped = (line: string) =>
  new DriverError('usage', `Line "${line}" of this printed key is missing, or a character in it is wrong.`);
