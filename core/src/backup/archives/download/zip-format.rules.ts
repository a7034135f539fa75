/** One entry as the records of a zip file describe it. Sizes in bytes. */
export interface ZipRecord {
  name: string;
  mtime: Date;
  /** Unix mode with its file type. */
  mode: number;
  /** Of its local header. */
  offset: number;
  compressed: boolean;
  /** Sum and sizes follow the content. */
  streamed: boolean;
  /** Sizes that follow the content have 64 bits. */
  is64: boolean;
  crc: number;
  size: number;
  storedSize: number;
}

const most = 0xffff_ffff;
/** Made by Unix, version 6.3 of the specification. */
const madeBy = 0x033f;
const versions = { plain: 20, zip64: 45 };
const flags = { utf8: 0x0800, streamed: 0x0008 };

/** Unsigned, little-endian fields as `[bytes, value]`. */
type Field = readonly [2 | 4 | 8, number];

function bytesOf(...fields: Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}

const capped = (value: number): number => Math.min(value, most);

export function localHeader(record: ZipRecord): Buffer {
  const { crc, size, storedSize, streamed, is64 } = record;
  const zip64 = is64 ? bytesOf([2, 1], [2, 16], [8, 0], [8, 0]) : Buffer.alloc(0);
  const extra = Buffer.concat([zip64, timeOf(record.mtime)]);
  const name = Buffer.from(record.name);
  return Buffer.concat([
    bytesOf(
      ...([[4, 0x04034b50], ...common(record, is64)] as Field[]),
      ...((streamed
        ? [
            [4, 0],
            [4, is64 ? most : 0],
            [4, is64 ? most : 0],
          ]
        : [
            [4, crc],
            [4, storedSize],
            [4, size],
          ]) as Field[]),
      ...([
        [2, name.length],
        [2, extra.length],
      ] as Field[]),
    ),
    name,
    extra,
  ]);
}

export const dataDescriptor = ({ crc, size, storedSize, is64 }: ZipRecord): Buffer =>
  is64
    ? bytesOf([4, 0x08074b50], [4, crc], [8, storedSize], [8, size])
    : bytesOf([4, 0x08074b50], [4, crc], [4, storedSize], [4, size]);

export function centralRecord(record: ZipRecord): Buffer {
  const { crc, size, storedSize, offset, mode } = record;
  const large = record.is64 || [size, storedSize, offset].some((value) => value >= most);
  const zip64 = large ? bytesOf([2, 1], [2, 24], [8, size], [8, storedSize], [8, offset]) : Buffer.alloc(0);
  const extra = Buffer.concat([zip64, timeOf(record.mtime)]);
  const name = Buffer.from(record.name);
  const shown = (value: number) => (large ? most : value);
  const isFolder = record.name.endsWith('/');
  return Buffer.concat([
    bytesOf(
      ...([[4, 0x02014b50], [2, madeBy], ...common(record, large)] as Field[]),
      ...([
        [4, crc],
        [4, shown(storedSize)],
        [4, shown(size)],
      ] as Field[]),
      ...([
        [2, name.length],
        [2, extra.length],
        [2, 0],
        [2, 0],
        [2, 0],
      ] as Field[]),
      ...([
        [2, isFolder ? 0x10 : 0],
        [2, mode & 0xffff],
        [4, shown(offset)],
      ] as Field[]),
    ),
    name,
    extra,
  ]);
}

export function endRecords({
  offset,
  size,
  entries,
}: {
  offset: number;
  size: number;
  entries: number;
}): Buffer {
  const end = bytesOf(
    ...([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
    ] as Field[]),
    ...([
      [2, Math.min(entries, 0xffff)],
      [2, Math.min(entries, 0xffff)],
    ] as Field[]),
    ...([
      [4, capped(size)],
      [4, capped(offset)],
      [2, 0],
    ] as Field[]),
  );
  if (entries < 0xffff && offset < most && size < most) return end;
  const zip64 = bytesOf(
    ...([
      [4, 0x06064b50],
      [8, 44],
      [2, madeBy],
      [2, versions.zip64],
      [4, 0],
      [4, 0],
    ] as Field[]),
    ...([
      [8, entries],
      [8, entries],
      [8, size],
      [8, offset],
    ] as Field[]),
  );
  const locator = bytesOf([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]);
  return Buffer.concat([zip64, locator, end]);
}

/** The fields that both headers of an entry share: version, flags, method, time. */
function common({ compressed, streamed, mtime }: ZipRecord, large: boolean): Field[] {
  const { date, time } = dosTime(mtime);
  return [
    [2, large ? versions.zip64 : versions.plain],
    [2, flags.utf8 | (streamed ? flags.streamed : 0)],
    [2, compressed ? 8 : 0],
    [2, time],
    [2, date],
  ];
}

/** Two-second steps from 1980 to 2107. */
function dosTime(at: Date): { date: number; time: number } {
  const year = Math.min(2107, Math.max(1980, at.getUTCFullYear()));
  return {
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}

/** The extended timestamp: seconds since 1970, in UTC; empty for a time that it can't hold. */
function timeOf(at: Date): Buffer {
  const seconds = Math.floor(at.getTime() / 1000);
  if (!(seconds >= 0 && seconds <= 0x7fff_ffff)) return Buffer.alloc(0);
  const extra = Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0]);
  extra.writeUInt32LE(seconds, 5);
  return extra;
}
