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

export const archivesUseCases = (dependencies: ArchivesNeeds, findKeeping: FindKeeping) => {
  return {
    listArchives: listArchives(dependencies, findKeeping),
    getArchive: getArchive(dependencies),
    listContents: listContents(dependencies),
    admitDownload: admitDownload(dependencies),
    downloadFile: downloadFile(dependencies),
    downloadEntries: downloadEntries(dependencies),
    getListingState: getListingState(dependencies),
    searchArchive: searchArchive(dependencies),
    searchRepository: searchRepository(dependencies),
    searchEverywhere: searchEverywhere(dependencies),
    getPathHistory: getPathHistory(dependencies),
    compareArchives: compareArchives(dependencies),
    deleteArchive: deleteArchive(dependencies),
    getDeleteJob: getDeleteJob(dependencies),
    cancelDeleteJob: cancelDeleteJob(dependencies),
  };
};
