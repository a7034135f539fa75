import { ArchiveListings } from '../../runtime/listing/archive-listings.js';
import type { Dependencies } from '../dependencies.js';
import { cancelDeleteJob } from './cancel-delete-job.js';
import { deleteArchive } from './delete-archive.js';
import { downloadFile } from './download-file.js';
import { getArchive } from './get-archive.js';
import { getDeleteJob } from './get-delete-job.js';
import { listArchives } from './list-archives.js';
import { listContents } from './list-contents.js';

export const archivesUseCases = (dependencies: Dependencies) => {
  const { cache, log, settings } = dependencies;
  const { dataDirectory, cacheTtlSeconds: ttlSeconds } = settings;
  const listings = new ArchiveListings({ cache, log, ttlSeconds, dataDirectory });
  return {
    listArchives: listArchives(dependencies),
    getArchive: getArchive(dependencies),
    listContents: listContents({ ...dependencies, listings }),
    downloadFile: downloadFile({ ...dependencies, listings }),
    deleteArchive: deleteArchive(dependencies),
    getDeleteJob: getDeleteJob(dependencies),
    cancelDeleteJob: cancelDeleteJob(dependencies),
  };
};
