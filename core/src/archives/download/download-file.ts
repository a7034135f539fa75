import { pipeline, type Readable, Transform } from 'node:stream';
import { conflict, escapeName, invalid, notFound, say } from '../../kernel/index.js';
import { baseNameOf, parseArchivePath } from '../archive-path.rules.js';
import { type ArchiveNeeds, type ArchiveSelector, findArchive } from '../archives.js';
import { type ListingNeeds, readListing } from '../browse.js';
import { findEntry } from '../listing/listing-lookup.js';
import { openStream } from './open-stream.js';

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
export const downloadFile = (needs: ArchiveNeeds & ListingNeeds) => {
  const find = findArchive(needs);
  const read = readListing(needs);
  return async (
    { file_path, ...selector }: ArchiveSelector & { file_path: string },
    signal?: AbortSignal,
  ): Promise<FileDownload> => {
    const path = parseArchivePath(file_path, 'file_path');
    if (path === '')
      throw invalid(say('download_of_root')`file_path is the root of the archive: give the path of a file.`);
    const { repository, archive } = await find(selector);
    const entry = await read({ repository, archive }, (listing) => findEntry(listing, path), signal);
    if (!entry)
      throw notFound(
        say('archive_file_unknown')`Archive ${{ archive: archive.name }} has no file ${{ path }}.`,
      );
    if (entry.type !== 'file') {
      throw invalid(
        say(
          'download_of_no_file',
        )`${{ path }} is a ${{ type: entry.type === 'other' ? 'special file' : entry.type }}: only files can be downloaded.`,
      );
    }
    if (!entry.healthy) {
      throw conflict(
        say(
          'archive_file_damaged',
        )`${{ path }} is damaged in this archive, with zeros in place of lost data: download it from another archive.`,
      );
    }
    const inTool = entry.hardLinkTarget ?? entry.toolPath ?? entry.path;
    const stream = await openStream(needs, {
      ...{ repository, archive: archive.name, signal },
      open: (target, options) => {
        const content = needs.driver.readFile(target, { archive: archive.name, path: inTool }, options);
        return pipeline(content, exactLength(entry.size), () => undefined);
      },
    });
    return { fileName: escapeName(baseNameOf(entry.path)), size: entry.size, stream };
  };
};

/**
 * Passes exactly `size` bytes. A source that ends early is an error, so that a truncated file never looks complete.
 * Bytes beyond that are dropped: a second copy, when an archive lists a file twice.
 */
export function exactLength(size: number): Transform {
  let left = size;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const part = chunk.length <= left ? chunk : chunk.subarray(0, left);
      left -= part.length;
      done(null, part);
    },
    flush(done) {
      done(
        left === 0
          ? null
          : new Error(`The backup tool returned only ${size - left} of ${size} bytes of the file.`),
      );
    },
  });
}
