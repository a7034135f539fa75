import type { EntryRecord, RecordExtras } from './listing-format.js';
import { nameText } from './listing-page.js';

/** A record on its way, with the id of the directory that holds it. */
export interface FiledRecord {
  directory: number;
  record: EntryRecord;
}

/** As one line: fields between tabs, of which names hold none. */
export function lineOf(directory: number, [name, type, size, mtime, extras]: EntryRecord): string {
  const line = `${directory}\t${nameText(name)}\t${type}\t${size}\t${mtime ?? ''}`;
  return extras ? `${line}\t${JSON.stringify(extras)}` : line;
}

export function parseLine(line: string): FiledRecord {
  const [directory, text = '', type, size, mtime, extras] = line.split('\t');
  const name = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
  const record: EntryRecord = [name, Number(type), Number(size), mtime === '' ? null : Number(mtime)];
  if (extras !== undefined) record.push(JSON.parse(extras) as RecordExtras);
  return { directory: Number(directory), record };
}

export const directoryOf = (line: string): number => Number.parseInt(line, 10);

/** What tells an entry from the others, and its size: all that sums need. */
export function sizeIn(line: string): { entry: string; size: number } {
  const name = line.indexOf('\t') + 1;
  const type = line.indexOf('\t', name) + 1;
  const size = line.indexOf('\t', type) + 1;
  return { entry: line.slice(0, type), size: Number(line.slice(size, line.indexOf('\t', size))) };
}
