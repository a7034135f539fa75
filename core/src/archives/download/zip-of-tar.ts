import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { nameOfBytes } from '@holdfast/plugin-api/driver';
import { type Entry, extract, type Headers } from 'tar-stream';
import { ZipFile } from 'yazl';
import { zipName } from './zip-name.rules.js';
import { ZipNotes } from './zip-notes.js';

/** Smaller files don't shrink when they are compressed. */
const leastCompressed = 256;
/** From this size on, an entry needs the 64-bit form even if compression makes it larger. */
const largest32Bit = 0xf000_0000;

/**
 * A tar stream as a zip stream, entry by entry. What zip can't hold as it is stands in a last entry, `ZipNotes`. An
 * error of the tar stream destroys the zip stream, and destroying the zip stream destroys the tar stream.
 */
export function zipOf(tar: Readable): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  const entries = extract({ filenameEncoding: 'latin1' });
  const stop = (error?: Error) => {
    output.destroy(error);
    entries.destroy(error);
    tar.destroy();
  };
  const failed = (error: unknown) =>
    stop(error instanceof Error ? error : new Error('zip failed', { cause: error }));
  entries.on('error', () => undefined);
  zip.on('error', failed);
  output.once('close', () => stop());
  zip.outputStream.pipe(output);
  feed(tar, entries).catch(failed);
  pack(entries, { zip, output }).catch(failed);
  return output;
}

type Entries = ReturnType<typeof extract>;

async function feed(tar: Readable, entries: Entries): Promise<void> {
  for await (const piece of tar) if (!entries.write(piece)) await once(entries, 'drain');
  entries.end();
}

interface Target {
  zip: ZipFile;
  output: PassThrough;
}

async function pack(entries: Entries, { zip, output }: Target): Promise<void> {
  const notes = new ZipNotes();
  for await (const entry of entries as unknown as AsyncIterable<Entry>) {
    await addEntry(zip, entry, notes);
    entry.resume();
    if (output.writableNeedDrain) await once(output, 'drain');
  }
  const text = notes.text();
  if (text !== null) zip.addBuffer(Buffer.from(text), ZipNotes.fileName);
  zip.end();
}

async function addEntry(zip: ZipFile, entry: Entry, notes: ZipNotes): Promise<void> {
  const { header } = entry;
  const found = pathOf(header, 'path', header.name);
  const name = zipName(found);
  if (name === '') return;
  const linkTarget = pathOf(header, 'linkpath', header.linkname ?? '');
  const kind = kinds[header.type ?? 'file'];
  if (kind === 'hard link') return notes.add('furtherNames', found, linkTarget);
  if (kind === undefined) return notes.add('leftOut', found, header.type ?? '');
  if (name !== withoutEndSlash(found)) notes.add('renamed', found, name);
  const options = { mtime: header.mtime ?? new Date(0), mode: (header.mode ?? 0o644) | modes[kind] };
  if (kind === 'directory') zip.addEmptyDirectory(name, options);
  else if (kind === 'symlink') zip.addBuffer(Buffer.from(linkTarget), name, { ...options, compress: false });
  else await addFile(zip, entry, { name, options });
}

async function addFile(
  zip: ZipFile,
  entry: Entry,
  { name, options }: { name: string; options: { mtime: Date; mode: number } },
): Promise<void> {
  const size = entry.header.size ?? 0;
  const content = Readable.from(entry, { objectMode: false });
  zip.addReadStream(content, name, {
    ...options,
    ...{ size, compress: size >= leastCompressed, forceZip64Format: size >= largest32Bit },
  });
  await finished(content);
}

const kinds: Partial<Record<string, 'file' | 'directory' | 'symlink' | 'hard link'>> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'directory',
  symlink: 'symlink',
  link: 'hard link',
};

const modes = { file: 0o100000, directory: 0o040000, symlink: 0o120000 };

interface Pax {
  pax?: Partial<Record<string, string>> | null;
}

/** Names in pax headers are UTF-8; all others were read byte by byte. */
function pathOf(header: Headers & Pax, field: 'path' | 'linkpath', name: string): string {
  return header.pax?.[field] ?? nameOfBytes(Buffer.from(name, 'latin1'));
}

const withoutEndSlash = (path: string): string => path.replace(/\/$/, '');
