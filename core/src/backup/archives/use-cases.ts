import { useCasesOf } from '../../foundation/kernel/index.js';
import { getArchive } from './archives.js';
import { getListingState, listContents } from './browse.js';
import { compareArchives, getPathHistory } from './compare.js';
import { cancelDeleteJob, deleteArchive, getDeleteJob } from './deletion.js';
import { admitDownload } from './download/admit-download.js';
import { downloadEntries } from './download/download-entries.js';
import { downloadFile } from './download/download-file.js';
import { type FindKeeping, listArchives } from './list-archives.js';
import type { ArchivesNeeds } from './needs.js';
import { searchArchive, searchEverywhere, searchRepository } from './search-archive.js';

export const archivesUseCases = (dependencies: ArchivesNeeds, findKeeping: FindKeeping) => ({
  ...useCasesOf(dependencies, {
    admitDownload,
    cancelDeleteJob,
    compareArchives,
    deleteArchive,
    downloadEntries,
    downloadFile,
    getArchive,
    getDeleteJob,
    getListingState,
    getPathHistory,
    listContents,
  }),
  listArchives: listArchives.bind(null, dependencies, findKeeping),
  searchArchive: searchArchive(dependencies),
  searchRepository: searchRepository(dependencies),
  searchEverywhere: searchEverywhere(dependencies),
});
