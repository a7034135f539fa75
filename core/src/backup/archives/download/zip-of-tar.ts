import { PassThrough, pipeline, Readable } from 'node:stream';
import { createDeflateRaw } from 'node:zlib';
import { entriesOf, type TarEntry } from './tar-entries.js';
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
  // A stream of its own, because one that is made of a generator waits for its next piece before it closes.
  const output = new PassThrough();
  output.once('close', () => tar.destroy());
  return pipeline(Readable.from(packed(tar), { objectMode: false }), output, () => undefined);
}

async function* packed(tar: Readable): AsyncGenerator<Buffer> {
  const zip = new ZipWriter();
  const notes = new ZipNotes();
  for await (const entry of entriesOf(tar)) {
    const described = describe(entry, notes);
    if (described) yield* piecesOf(zip, entry, described);
  }
  const text = notes.text();
  const entry = { name: ZipNotes.fileName, mtime: new Date(), mode: 0o100644 };
  if (text !== null) yield* zip.add(entry, Buffer.from(text));
  yield* zip.end();
}

const types = { file: 0o100000, directory: 0o040000, symlink: 0o120000 };

/** How an entry appears in the zip file; null when it does not. */
function describe({ path, type, mode, mtime, linkTarget }: TarEntry, notes: ZipNotes): ZipEntry | null {
  const found = path.replace(/\/$/, '');
  const name = zipName(found);
  if (name === '') return null;
  if (type === 'hard link') notes.add('furtherNames', found, linkTarget);
  if (type === 'other') notes.add('leftOut', found);
  if (type === 'hard link' || type === 'other') return null;
  if (name !== found) notes.add('renamed', found, name);
  return { name: type === 'directory' ? `${name}/` : name, mtime, mode: types[type] | mode };
}

async function* piecesOf(zip: ZipWriter, entry: TarEntry, described: ZipEntry): AsyncGenerator<Buffer> {
  const { type, size, content, linkTarget } = entry;
  if (type === 'symlink') yield* zip.add(described, Buffer.from(linkTarget));
  else if (size > largestWhole) yield* zip.addStream(described, { size, content, deflate });
  else {
    const pieces: Buffer[] = [];
    for await (const piece of content) pieces.push(piece);
    yield* zip.add(described, Buffer.concat(pieces));
  }
}

const deflate: Deflate = (content) => pipeline(Readable.from(content), createDeflateRaw(), () => undefined);
