import type { EntryRecord, RecordExtras } from './listing-format.js';

/** A directory of a listing with its entries; for a large directory, one page holds a part. */
interface PageDirectory {
  path: string;
  /** Decoded on each call. */
  records(): EntryRecord[];
}

/** Some directories of a listing. */
export interface ListingPage {
  build: string;
  directories: PageDirectory[];
  /** All names on the page as one text in which a search can look first; names in it are as JSON writes them. */
  readonly names: string;
}

/** One directory in the columns: where its part of them begins, in bytes from the start of each. */
type Place = [path: string, entries: number, sizes: number, times: number, names: number];

interface Head {
  build: string;
  /** In the order of the columns. */
  directories: Place[];
  /** By the number of the entry on the page. */
  extras: Record<string, RecordExtras>;
}

const lineEnd = 10;
const zero = 48;

/** Names in a page: JSON, so without line breaks. */
export const nameText = (name: string): string => JSON.stringify(name).slice(1, -1);
const plain = (text: string): string => (text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text);

/** A page as the bytes that are stored: a line each for head, types, sizes and times, then one for each name. */
export function packPage(build: string, groups: Iterable<[path: string, records: EntryRecord[]]>): Buffer {
  const head: Head = { build, directories: [], extras: {} };
  const columns = { types: '', sizes: new Column(' '), times: new Column(' '), names: new Column('\n') };
  let count = 0;
  for (const [path, records] of groups) {
    const { sizes, times, names } = columns;
    head.directories.push([path, records.length, sizes.length, times.length, names.length]);
    for (const [index, record] of records.entries()) {
      columns.types += record[1];
      if (record[4]) head.extras[count + index] = record[4];
    }
    sizes.add(records.map(([, , size]) => size));
    times.add(records.map(([, , , mtime]) => mtime ?? ''));
    names.add(records.map(([name]) => nameText(name)));
    count += records.length;
  }
  const { types, sizes, times, names } = columns;
  return Buffer.from([JSON.stringify(head), types, sizes.text, times.text, names.text].join('\n'));
}

/** A list of values in one string; directories refer to ranges of it. */
class Column {
  readonly #parts: string[] = [];
  length = 0;

  constructor(private readonly separator: string) {}

  get text(): string {
    return this.#parts.join(this.separator);
  }

  add(values: readonly (string | number)[]): void {
    if (values.length === 0) return;
    const part = values.join(this.separator);
    this.#parts.push(part);
    this.length += Buffer.byteLength(part) + 1;
  }
}

/** Throws for bytes that aren't a page. Only what is asked for is made text. */
export function unpackPage(bytes: Buffer): ListingPage {
  const head = endOfLine(bytes, 0);
  const { build, directories, extras } = JSON.parse(bytes.toString('utf8', 0, head)) as Head;
  const types = head + 1;
  const sizes = endOfLine(bytes, types) + 1;
  const times = endOfLine(bytes, sizes) + 1;
  const names = endOfLine(bytes, times) + 1;
  const part = (from: number, to: number, separator: string) =>
    bytes.toString('utf8', from, to).split(separator);

  const records = (index: number, first: number): EntryRecord[] => {
    const place = directories[index];
    if (!place || place[1] === 0) return [];
    const next = directories[index + 1];
    const size = part(sizes + place[2], next ? sizes + next[2] - 1 : times - 1, ' ');
    const time = part(times + place[3], next ? times + next[3] - 1 : names - 1, ' ');
    const name = part(names + place[4], next ? names + next[4] - 1 : bytes.length, '\n');
    const list: EntryRecord[] = [];
    for (let n = 0; n < place[1]; n++) {
      const type = (bytes[types + first + n] ?? zero) - zero;
      const mtime = time[n] === '' ? null : Number(time[n]);
      const record: EntryRecord = [plain(name[n] ?? ''), type, Number(size[n]), mtime];
      const more = extras[first + n];
      if (more) record.push(more);
      list.push(record);
    }
    return list;
  };

  let next = 0;
  return {
    build,
    get names() {
      return bytes.toString('utf8', names);
    },
    directories: directories.map(([path, count], index) => {
      const first = next;
      next += count;
      return { path, records: () => records(index, first) };
    }),
  };
}

/** A page without entries ends with its fourth line. */
function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(lineEnd, from);
  return end < 0 ? bytes.length : end;
}
