import { pipeline, type Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { conflict, escapeName, invalid, notFound, say } from '../../../foundation/kernel/index.js';
import { baseNameOf, parseArchivePath } from '../archive-path.rules.js';
import { type ArchiveNeeds, type ArchiveSelector, findArchive } from '../archives.js';
import { type ListingNeeds, readListing } from '../browse.js';
import type { Listing } from '../listing/listing.js';
import { findEntry } from '../listing/listing-lookup.js';
import { openStream } from './open-stream.js';
import { outermost } from './zip-name.rules.js';

type DownloadFormat = 'tar' | 'tar.gz' | 'zip';

export interface EntriesToDownload {
  file_path: readonly string[];
  format: DownloadFormat;
}

export interface EntriesDownload {
  fileName: string;
  stream: Readable;
}

/**
 * Streams files and folders of an archive from the tool in one file. Throws AppError `invalid`, `not_found`; `conflict`
 * when a chosen file is damaged, or folders of an archive with damaged files are chosen: the tool would put zeros in
 * their place. Destroying the stream ends the tool and frees the lane.
 */
export async function downloadEntries(
  needs: ArchiveNeeds & ListingNeeds,
  { file_path, format, ...selector }: ArchiveSelector & EntriesToDownload,
  signal?: AbortSignal,
): Promise<EntriesDownload> {
  const exportTar = needs.driver.exportTar?.bind(needs.driver);
  if (!exportTar)
    throw invalid(
      say`folder_download_unsupported: The backup driver of this installation can only return single files: leave out format.`,
    );
  const asked = outermost(file_path.map((path) => parseArchivePath(path, 'file_path')));
  const { repository, archive } = await findArchive(needs, selector);
  const chosen = await readListing(
    needs,
    { repository, archive },
    (listing) => choose(listing, asked),
    signal,
  );
  const missing = chosen.find(({ type }) => type === null);
  if (missing) {
    throw notFound(
      say`archive_path_unknown: Archive ${{ archive: archive.name }} has no entry ${{ path: missing.path }}.`,
    );
  }
  const damaged = chosen.find(({ healthy }) => !healthy);
  if (damaged || (archive.damaged && chosen.some(({ type }) => type === 'directory'))) {
    const path = damaged?.path ?? chosen[0]?.path ?? '';
    throw conflict(
      say`archive_path_damaged: ${{ path }} has damaged files in this archive: download from another archive, or restore, which lists them.`,
    );
  }
  const paths = chosen.flatMap(({ toolPath }) => toolPath ?? []);
  const stream = await openStream(needs, {
    repository,
    archive: archive.name,
    signal,
    open: (target, options) => packed(exportTar(target, { archive: archive.name, paths }, options), format),
  });
  const name = asked.length === 1 && asked[0] !== '' ? baseNameOf(chosen[0]?.path ?? '') : archive.name;
  return { fileName: `${escapeName(name)}.${format}`, stream };
}

interface Chosen {
  path: string;
  /** For the tool; null: everything. */
  toolPath: string | null;
  /** Null: there is no such entry. */
  type: string | null;
  healthy: boolean;
}

async function choose(listing: Listing, paths: readonly string[]): Promise<Chosen[]> {
  const chosen: Chosen[] = [];
  for (const path of paths) {
    if (path === '') chosen.push({ path: '/', toolPath: null, type: 'directory', healthy: true });
    else {
      const entry = await findEntry(listing, path);
      if (!entry) return [{ path, toolPath: null, type: null, healthy: true }];
      const { toolPath, type, healthy } = entry;
      chosen.push({ path: entry.path, toolPath: toolPath ?? entry.path, type, healthy });
    }
  }
  return chosen;
}

async function packed(tar: Readable, format: DownloadFormat): Promise<Readable> {
  if (format === 'tar') return tar;
  if (format === 'tar.gz') return pipeline(tar, createGzip(), () => undefined);
  const { zipOf } = await import('./zip-of-tar.js');
  return zipOf(tar);
}
