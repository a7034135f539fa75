import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Numbers from 0 to 1 that depend on the seed only (mulberry32). */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const words =
  'the of and order offer meeting garden report backup server invoice delivery summer list plan price note team'.split(
    ' ',
  );

function textOf(bytes, random) {
  let text = '';
  while (text.length < bytes) {
    text += `${words[Math.floor(random() * words.length)]}${random() < 0.08 ? `.\n` : ' '}`;
  }
  return text;
}

/** As photos and packed files are: nothing in them repeats. */
function bytesOf(count, random) {
  const bytes = Buffer.allocUnsafe(count & ~3);
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(Math.floor(random() * 2 ** 32), at);
  return bytes;
}

const kB = 1_000;
const two = (n) => String(n).padStart(2, '0');
const many = (count, make) => Array.from({ length: count }, (_, n) => make(n + 1));

/** The files of each source, in the order in which they appeared: name, bytes, and whether each night changes it. */
const sources = {
  documents: [
    ...many(36, (n) => [`contracts/contract-${two(n)}.pdf`, 180 * kB + n * 900]),
    ...many(40, (n) => [
      `projects/project-${two(Math.ceil(n / 4))}/sheet-${((n - 1) % 4) + 1}.xlsx`,
      90 * kB,
    ]),
    ...many(60, (n) => [`letters/letter-${two(n)}.txt`, 4 * kB]),
    ...many(24, (n) => [`scans/scan-${two(n)}.pdf`, 420 * kB]),
    ['notes.txt', 30 * kB, true],
  ],
  website: [
    ...many(48, (n) => [`public/pages/page-${two(n)}.html`, 12 * kB]),
    ...many(30, (n) => [`public/images/picture-${two(n)}.jpg`, 260 * kB]),
    ['public/index.html', 16 * kB],
    ['config/site.yaml', 3 * kB],
    ['logs/access.log', 300 * kB, true],
  ],
  mail: [
    ...['info', 'orders', 'support'].flatMap((box) => [
      ...many(120, (n) => [`${box}/cur/message-${String(n).padStart(4, '0')}.eml`, 9 * kB]),
      ...many(14, (n) => [`${box}/cur/attachment-${two(n)}.eml`, 520 * kB, false, true]),
    ]),
    ['postfix/main.cf', 4 * kB],
    ['dovecot/dovecot.conf', 3 * kB],
    ['info/dovecot.index', 60 * kB, true],
  ],
  databases: [
    ...many(12, (n) => [`monthly/shop-month-${two(n)}.sql.gz`, 700 * kB]),
    ['dumps/shop.sql.gz', 1_100 * kB, true],
    ['dumps/wiki.sql.gz', 480 * kB, true],
    ['dumps/tickets.sql.gz', 260 * kB, true],
  ],
  accounting: [
    ...many(60, (n) => [`invoices/invoice-${String(n).padStart(4, '0')}.pdf`, 85 * kB]),
    ...many(12, (n) => [`statements/statement-${two(n)}.pdf`, 140 * kB]),
    ['ledger.csv', 240 * kB, true],
  ],
  photos: many(30, (n) => [`albums/photo-${two(n)}.jpg`, 40 * kB]),
  offsite: many(12, (n) => [`copy/part-${two(n)}.bin`, 40 * kB]),
};

/** Writes the files of a source as they were when `share` (0 to 1) of the year had passed, at the instant `at`. */
export function writeSource(folder, source, { share, at, turn }) {
  const files = sources[source];
  const present = Math.ceil(files.length * (0.62 + 0.38 * share));
  for (const [n, [name, bytes, changes]] of files.entries()) {
    if (!changes && (n >= present || (turn > 0 && n < Math.ceil(files.length * 0.62)))) continue;
    const random = seeded(n * 1_000 + (changes ? turn + 1 : 0) + source.length * 7);
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const isText = /\.(txt|html|log|yaml|eml|cf|conf|csv|index)$/.test(name) && bytes < 400 * kB;
    const size = Math.round(bytes * (0.75 + random() * 0.5) * (changes ? 0.7 + 0.3 * share : 1));
    writeFileSync(path, isText ? textOf(size, random) : bytesOf(size, random));
    utimesSync(path, at / 1000, at / 1000 - 3_600);
  }
}
