import type { ArchiveFileView, ArchiveInfo } from '@holdfast/contracts';
import type { ArchiveEntry } from '../ports/backup-driver.js';
import { archives } from '../schema/tables.js';
import { archiveFileView, archiveInfoView } from './archive-view.js';
import { type ArchiveNeeds, type ArchiveSelector, findArchive } from './find-archive.js';
import { readWithTool } from './read-with-tool.js';

export interface ArchiveInfoQuery extends ArchiveSelector {
  include_files: boolean;
  file_limit: number;
}

/** What the tool says of one archive, with its first entries when asked. AppError `not_found`, `conflict`. */
export const getArchive = (needs: ArchiveNeeds) => {
  const find = findArchive(needs);
  return async (
    { include_files, file_limit, ...selector }: ArchiveInfoQuery,
    signal?: AbortSignal,
  ): Promise<{ success: true; info: ArchiveInfo }> => {
    const { repository, archive } = await find(selector);
    const inventory = await needs.storage.find(archives, { where: { repository_id: repository.id } });
    const input = { archive: archive.name };
    const { details, files } = await readWithTool(needs)(repository, {
      what: `info of archive ${archive.name}`,
      signal,
      work: async (target, options) => {
        const { value } = await needs.driver.archiveInfo(target, input, options);
        if (!include_files) return { details: value, files: undefined };
        const entries = needs.driver.listEntries(target, input, options);
        return { details: value, files: await firstFiles(entries, file_limit) };
      },
    });
    const lastModified = Math.max(0, ...inventory.map((row) => row.end ?? row.start)) || null;
    const info = archiveInfoView(details, { repository, lastModified, damaged: archive.damaged });
    return { success: true, info: files ? { ...info, files } : info };
  };
};

/** The first name of a hard-linked file comes before the further ones, so its size is known by then. */
async function firstFiles(entries: AsyncIterable<ArchiveEntry[]>, limit: number): Promise<ArchiveFileView[]> {
  const files: ArchiveFileView[] = [];
  const sizes = new Map<string, number>();
  for await (const batch of entries) {
    for (const entry of batch.slice(0, limit - files.length)) {
      const size = (entry.hardLinkTarget !== null && sizes.get(entry.hardLinkTarget)) || entry.size;
      if (!sizes.has(entry.path)) sizes.set(entry.path, size);
      files.push(archiveFileView(entry, size));
    }
    if (files.length >= limit) break;
  }
  return files;
}
