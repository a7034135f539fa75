import type { Dependencies } from '../dependencies.js';
import { cancelDeleteJob } from './cancel-delete-job.js';
import { compareArchives } from './compare-archives.js';
import { deleteArchive } from './delete-archive.js';
import { downloadFile } from './download-file.js';
import { getArchive } from './get-archive.js';
import { getDeleteJob } from './get-delete-job.js';
import { getListingState } from './get-listing-state.js';
import { getPathHistory } from './get-path-history.js';
import { listArchives } from './list-archives.js';
import { listContents } from './list-contents.js';
import { searchArchive, searchRepository } from './search-archive.js';

export const archivesUseCases = (dependencies: Dependencies) => {
  return {
    listArchives: listArchives(dependencies),
    getArchive: getArchive(dependencies),
    listContents: listContents(dependencies),
    downloadFile: downloadFile(dependencies),
    getListingState: getListingState(dependencies),
    searchArchive: searchArchive(dependencies),
    searchRepository: searchRepository(dependencies),
    getPathHistory: getPathHistory(dependencies),
    compareArchives: compareArchives(dependencies),
    deleteArchive: deleteArchive(dependencies),
    getDeleteJob: getDeleteJob(dependencies),
    cancelDeleteJob: cancelDeleteJob(dependencies),
  };
};
