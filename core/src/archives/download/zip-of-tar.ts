import { once } from 'node:events';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { createDeflateRaw } from 'node:zlib';
import { nameOfBytes } from '@holdfast/plugin-api/driver';
import { extract, type Headers } from 'tar-stream';
import { zipName } from './zip-name.rules.js';
import { ZipNotes } from './zip-notes.js';
import { type Deflate, type ZipEntry, ZipWriter } from './zip-writer.js';

/** Up to this size, in bytes, a file is packed as a whole. */
const largestWhole = 256 * 1024;

/**
 * A tar stream as a zip stream, entry by entry. What zip can't hold as it is stands in a last entry, `ZipNotes`. An
 * error of the tar stream destroys the zip stream, and destroying the zip stream destroys the tar stream.
 */
export function zipOf(tar: Readable): Readable {
  const output = new PassThrough();
  const gone = new AbortController();
  output.once('close', () => {
    gone.abort();
    tar.destroy();
  });
  repack(tar, output, gone.signal).then(
    () => output.end(),
    (error: Error) => output.destroy(error),
  );
  return output;
}

/** Resolves when everything was written. */
async function repack(tar: Readable, output: PassThrough, signal: AbortSignal): Promise<void> {
  const zip = new ZipWriter();
  const notes = new ZipNotes();
  const write: Write = async (pieces) => {
    for await (const piece of pieces) if (!output.write(piece)) await once(output, 'drain', { signal });
  };
  const entries = extract({ filenameEncoding: 'latin1' });
  entries.on('error', () => undefined);
  signal.addEventListener('abort', () => entries.destroy());
  let last = Promise.resolve();
  entries.on('entry', (header, content, next) => {
    const described = describe(header, notes);
    last = described ? write(piecesOf(zip, header, content, described)) : Promise.resolve();
    last.then(() => {
      content.resume();
      next();
    }, next);
  });
  const read = once(entries, 'finish', { signal });
  // The tool may fail first.
  read.catch(() => undefined);
  for await (const piece of tar) if (!entries.write(piece)) await once(entries, 'drain', { signal });
  entries.end();
  await read;
  await last;
  const text = notes.text();
  const entry = { name: ZipNotes.fileName, mtime: new Date(), mode: 0o100644 };
  if (text !== null) await write(zip.add(entry, Buffer.from(text)));
  await write(zip.end());
}

type Write = (pieces: Iterable<Buffer> | AsyncIterable<Buffer>) => Promise<void>;

const kinds: Partial<Record<string, 'file' | 'directory' | 'symlink' | 'hard link'>> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'directory',
  symlink: 'symlink',
  link: 'hard link',
};
const types = { file: 0o100000, directory: 0o040000, symlink: 0o120000 };

interface Described extends ZipEntry {
  /** What a symlink points to. */
  linkTarget: string | null;
}

/** How an entry appears in the zip file; null when it does not. */
function describe(header: Headers, notes: ZipNotes): Described | null {
  const found = pathOf(header, 'path', header.name).replace(/\/$/, '');
  const linkTarget = pathOf(header, 'linkpath', header.linkname ?? '');
  const kind = kinds[header.type ?? 'file'];
  const name = zipName(found);
  if (name === '') return null;
  if (kind === undefined || kind === 'hard link') {
    if (kind) notes.add('furtherNames', found, linkTarget);
    else notes.add('leftOut', found, header.type ?? '');
    return null;
  }
  if (name !== found) notes.add('renamed', found, name);
  return {
    name: kind === 'directory' ? `${name}/` : name,
    mtime: header.mtime ?? new Date(0),
    mode: types[kind] | ((header.mode ?? 0o644) & 0o7777),
    linkTarget: kind === 'symlink' ? linkTarget : null,
  };
}

interface Pax {
  pax?: Partial<Record<string, string>> | null;
}

/** Names in pax headers are UTF-8; all others were read byte by byte. */
function pathOf(header: Headers & Pax, field: 'path' | 'linkpath', name: string): string {
  return header.pax?.[field] ?? nameOfBytes(Buffer.from(name, 'latin1'));
}

async function* piecesOf(
  zip: ZipWriter,
  { size = 0 }: Headers,
  content: Readable,
  { linkTarget, ...described }: Described,
): AsyncGenerator<Buffer> {
  if (linkTarget !== null) yield* zip.add(described, Buffer.from(linkTarget));
  else if (size > largestWhole)
    yield* zip.addStream(described, { size, content: whole(content, size), deflate });
  else {
    const pieces: Buffer[] = [];
    for await (const piece of whole(content, size)) pieces.push(piece);
    yield* zip.add(described, Buffer.concat(pieces));
  }
}

/** A stream that is destroyed ends without an error. */
async function* whole(content: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let left = size;
  for await (const piece of content) {
    left -= piece.length;
    yield piece;
  }
  if (left !== 0) throw new Error('The tar stream ended within an entry.');
}

const deflate: Deflate = (content) => pipeline(Readable.from(content), createDeflateRaw(), () => undefined);
