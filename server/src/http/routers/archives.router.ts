import { archivesContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { callerOf } from '../auth.js';
import { clientGone } from '../client-gone.js';
import { contentTypeOf } from '../content-type.js';
import { ok } from '../reply.js';
import type { RouterOf } from '../route-handlers.js';
import { sendDownload } from '../streams.js';
import type { UseCases } from '../use-cases.js';

const server = initServer();

export const archivesRouter = ({ archives }: UseCases): RouterOf<typeof archivesContract> =>
  server.router(archivesContract, {
    list: async ({ query }) => ok(await archives.listArchives(query)),
    download: async ({ query, res }) => {
      const file = await archives.downloadFile(query, clientGone(res));
      return sendDownload(res, { ...file, contentType: contentTypeOf(file.fileName) });
    },
    deleteJob: async ({ params }) => ok(await archives.getDeleteJob(params.job_id)),
    cancelDeleteJob: async ({ params }) => ok(await archives.cancelDeleteJob(params.job_id)),
    searchAll: async ({ query, res }) => ok(await archives.searchRepository(query, clientGone(res))),
    history: async ({ query, res }) => ok(await archives.getPathHistory(query, clientGone(res))),
    listing: async ({ params, query }) =>
      ok(await archives.getListingState({ ...query, archive: params.archive_id })),
    search: async ({ params, query, res }) =>
      ok(await archives.searchArchive({ ...query, archive: params.archive_id }, clientGone(res))),
    diff: async ({ params, query, res }) =>
      ok(await archives.compareArchives({ ...query, archive: params.archive_id }, clientGone(res))),
    info: async ({ params, query, res }) =>
      ok(await archives.getArchive({ ...query, archive: params.archive_id }, clientGone(res))),
    contents: async ({ params, query, res }) =>
      ok(await archives.listContents({ ...query, archive: params.archive_id }, clientGone(res))),
    delete: async ({ params, query, req }) =>
      ok(await archives.deleteArchive(callerOf(req), { ...query, archive: params.archive_id })),
  });
