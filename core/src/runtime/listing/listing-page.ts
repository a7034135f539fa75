import type { EntryRecord, RecordExtras } from './listing-format.js';

/** A directory of a listing with what lies in it; of a large directory one page holds a part. */
export interface PageDirectory {
  path: string;
  records(): EntryRecord[];
}

/** Some directories of a listing. */
export interface ListingPage {
  build: string;
  directories: PageDirectory[];
  /** All names on the page as one text in which a search can look first; names in it are as JSON writes them. */
  names: string;
}

interface Head {
  build: string;
  /** In the order of the columns. */
  directories: [path: string, entries: number][];
  /** By the number of the entry on the page. */
  extras: Record<string, RecordExtras>;
}

/** How names stand in a page: without line breaks. */
export const nameText = (name: string): string => JSON.stringify(name).slice(1, -1);
const plain = (text: string): string => (text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text);

/** A page as the text that is stored: a line each for head, types, sizes and times, then one for each name. */
export function packPage(build: string, groups: Iterable<[path: string, records: EntryRecord[]]>): string {
  const head: Head = { build, directories: [], extras: {} };
  const names: string[] = [];
  const sizes: number[] = [];
  const times: (number | string)[] = [];
  let types = '';
  for (const [path, records] of groups) {
    head.directories.push([path, records.length]);
    for (const [name, type, size, mtime, extras] of records) {
      if (extras) head.extras[names.length] = extras;
      names.push(nameText(name));
      sizes.push(size);
      times.push(mtime ?? '');
      types += type;
    }
  }
  return [JSON.stringify(head), types, sizes.join(' '), times.join(' '), ...names].join('\n');
}

/** Throws for a text that isn't a page. */
export function unpackPage(text: string): ListingPage {
  const [head, types, sizes, times, end] = fourLines(text);
  const { build, directories, extras } = JSON.parse(head) as Head;
  const names = text.slice(end);
  let columns: [string[], string[], string[]] | undefined;
  const records = (first: number, count: number): EntryRecord[] => {
    columns ??= [names.split('\n'), sizes.split(' '), times.split(' ')];
    const [name, size, time] = columns;
    return Array.from({ length: count }, (_, index) => {
      const at = first + index;
      const mtime = time[at] === '' ? null : Number(time[at]);
      const record: EntryRecord = [plain(name[at] ?? ''), Number(types[at]), Number(size[at]), mtime];
      const more = extras[at];
      if (more) record.push(more);
      return record;
    });
  };
  let next = 0;
  return {
    build,
    names,
    directories: directories.map(([path, count]) => {
      const first = next;
      next += count;
      return { path, records: () => records(first, count) };
    }),
  };
}

function fourLines(text: string): [string, string, string, string, number] {
  const lines: string[] = [];
  let from = 0;
  for (let line = 0; line < 4; line++) {
    const to = text.indexOf('\n', from);
    // A page without entries ends with its fourth line.
    lines.push(to < 0 ? text.slice(from) : text.slice(from, to));
    from = to < 0 ? text.length : to + 1;
  }
  return [lines[0] ?? '', lines[1] ?? '', lines[2] ?? '', lines[3] ?? '', from];
}
