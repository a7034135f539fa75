import { useCasesOf } from '../../foundation/kernel/index.js';
import { getArchiveChanges } from './archive-changes.js';
import { getArchive } from './archives.js';
import { getListingState, listContents } from './browse.js';
import { compareArchives, getPathHistory } from './compare.js';
import { countArchives } from './count-archives.js';
import { cancelDeleteJob, deleteArchive, getDeleteJob } from './deletion.js';
import { admitDownload } from './download/admit-download.js';
import { downloadEntries } from './download/download-entries.js';
import { downloadFile } from './download/download-file.js';
import { type FindKeeping, listArchives } from './list-archives.js';
import { getFolderGrowth } from './memory/folder-growth.js';
import { getIndexState } from './memory/index-state.js';
import { lostWithArchive } from './memory/lost-files.js';
import type { ArchivesNeeds } from './needs.js';
import { pinArchive, unpinArchive } from './pin-archive.js';
import { searchArchive, searchEverywhere, searchRepository } from './search-archive.js';

export const archivesUseCases = (dependencies: ArchivesNeeds, findKeeping: FindKeeping) => ({
  ...useCasesOf(dependencies, {
    admitDownload,
    cancelDeleteJob,
    compareArchives,
    countArchives,
    deleteArchive,
    downloadEntries,
    downloadFile,
    getArchive,
    getArchiveChanges,
    getDeleteJob,
    getFolderGrowth,
    getIndexState,
    getListingState,
    getPathHistory,
    listContents,
    lostWithArchive,
    pinArchive,
    unpinArchive,
  }),
  listArchives: listArchives.bind(null, dependencies, findKeeping),
  searchArchive: searchArchive(dependencies),
  searchRepository: searchRepository(dependencies),
  searchEverywhere: searchEverywhere(dependencies),
});
