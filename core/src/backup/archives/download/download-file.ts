import { pipeline, type Readable, Transform } from 'node:stream';
import { conflict, escapeName, invalid, notFound, say } from '../../../foundation/kernel/index.js';
import { baseNameOf, parseArchivePath } from '../archive-path.rules.js';
import { type ArchiveNeeds, type ArchiveSelector, findArchive } from '../archives.js';
import { type ListingNeeds, readListing } from '../browse.js';
import { findEntry } from '../listing/listing-lookup.js';
import { openStream } from './open-stream.js';

/** How much a second copy may have grown. Bytes. */
const mostExcess = 16 * 1024 * 1024;

export interface FileDownload {
  /** The last segment of the path; bytes that are not UTF-8 are escaped. */
  fileName: string;
  /** Number of bytes that the stream gives. It fails if there are fewer. */
  size: number;
  stream: Readable;
}

/**
 * Streams one regular file of an archive from the tool. Throws AppError `not_found`; `invalid` when it is not a
 * regular file; `conflict` when the tool reports it as damaged. Destroying the stream ends the tool and frees the
 * lane.
 */
export async function downloadFile(
  needs: ArchiveNeeds & ListingNeeds,
  { file_path, ...selector }: ArchiveSelector & { file_path: string },
  signal?: AbortSignal,
): Promise<FileDownload> {
  const path = parseArchivePath(file_path, 'file_path');
  if (path === '')
    throw invalid(say`download_of_root: file_path is the root of the archive: give the path of a file.`);
  const { repository, archive } = await findArchive(needs, selector);
  const entry = await readListing(
    needs,
    { repository, archive },
    (listing) => findEntry(listing, path),
    signal,
  );
  if (!entry)
    throw notFound(say`archive_file_unknown: Archive ${{ archive: archive.name }} has no file ${{ path }}.`);
  if (entry.type !== 'file') {
    throw invalid(
      say`download_of_no_file: ${{ path }} is a ${{ type: entry.type === 'other' ? 'special file' : entry.type }}: only files can be downloaded.`,
    );
  }
  if (!entry.healthy) {
    throw conflict(
      say`archive_file_damaged: ${{ path }} is damaged in this archive: download it from another archive.`,
    );
  }
  const inTool = entry.hardLinkTarget ?? entry.toolPath ?? entry.path;
  const stream = await openStream(needs, {
    repository,
    archive: archive.name,
    signal,
    open: (target, options) => {
      const content = needs.driver.readFile(target, { archive: archive.name, path: inTool }, options);
      return pipeline(content, exactLength(entry.size), () => undefined);
    },
  });
  return { fileName: escapeName(baseNameOf(entry.path)), size: entry.size, stream };
}

/**
 * Passes exactly `size` bytes, the last piece only when the source has ended well, so that a truncated or damaged file
 * never looks complete. Bytes beyond that are dropped: a second copy, when an archive lists a file twice. A file that
 * holds far more than its listing says is an error.
 */
function exactLength(size: number): Transform {
  let left = size;
  let excess = 0;
  let last: Buffer | null = null;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const part = chunk.length <= left ? chunk : chunk.subarray(0, left);
      left -= part.length;
      excess += chunk.length - part.length;
      if (excess > size + mostExcess)
        return done(
          new Error(`The archive has more data for the file than the ${size} bytes in its listing.`),
        );
      if (part.length === 0) return done();
      if (last) this.push(last);
      last = part;
      done();
    },
    flush(done) {
      if (left > 0) return done(new Error(`Borg returned only ${size - left} of ${size} bytes of the file.`));
      done(null, last);
    },
  });
}
