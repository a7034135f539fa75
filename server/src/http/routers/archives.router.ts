import { archivesContract } from '@holdfast/contracts';
import { invalid, say } from '@holdfast/core/server';
import { initServer } from '@ts-rest/express';
import { clientGone } from '../downloads/client-gone.js';
import { contentTypeOf } from '../downloads/content-type.js';
import { sendDownload } from '../downloads/streams.js';
import { callerOf } from '../sign-in/auth.js';
import { type RoutedRequest, ticketOf } from '../sign-in/bearer-token.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

const contentTypes = { tar: 'application/x-tar', 'tar.gz': 'application/gzip', zip: 'application/zip' };

export const archivesRouter = ({ archives, schedules }: UseCases): RouterOf<typeof archivesContract> =>
  server.router(archivesContract, {
    list: async ({ query }) => ok(await archives.listArchives(query)),
    download: async ({ query, req, res }) => {
      // A ticket was already checked when it was created.
      if (ticketOf(req as object as RoutedRequest) === null)
        await archives.admitDownload(callerOf(req), query);
      const { format, ...selector } = query;
      const [file_path = '', ...more] = [selector.file_path].flat();
      if (format !== undefined) {
        const wanted = { ...selector, file_path: [file_path, ...more], format };
        const { fileName, stream } = await archives.downloadEntries(wanted, clientGone(res));
        return sendDownload(res, { fileName, stream, contentType: contentTypes[format] });
      }
      if (more.length > 0)
        throw invalid(
          say`download_format_missing: Give format (tar, tar.gz or zip) to download several entries.`,
        );
      const file = await archives.downloadFile({ ...selector, file_path }, clientGone(res));
      return sendDownload(res, { ...file, contentType: contentTypeOf(file.fileName) });
    },
    deleteJob: async ({ params }) => ok(await archives.getDeleteJob(params.job_id)),
    cancelDeleteJob: async ({ params }) => ok(await archives.cancelDeleteJob(params.job_id)),
    searchAll: async ({ query, res }) => ok(await archives.searchRepository(query, clientGone(res))),
    history: async ({ query, res }) => ok(await archives.getPathHistory(query, clientGone(res))),
    listing: async ({ params, query }) =>
      ok(await archives.getListingState({ ...query, archive: params.archive_id })),
    searchEverywhere: async ({ query, res }) => ok(await archives.searchEverywhere(query, clientGone(res))),
    search: async ({ params, query, res }) =>
      ok(await archives.searchArchive({ ...query, archive: params.archive_id }, clientGone(res))),
    diff: async ({ params, query, res }) =>
      ok(await archives.compareArchives({ ...query, archive: params.archive_id }, clientGone(res))),
    info: async ({ params, query, res }) =>
      ok(await archives.getArchive({ ...query, archive: params.archive_id }, clientGone(res))),
    contents: async ({ params, query, res }) =>
      ok(await archives.listContents({ ...query, archive: params.archive_id }, clientGone(res))),
    pin: async ({ params, body: { reason, until, ...repository }, req }) => {
      const selector = { ...repository, archive: params.archive_id };
      return ok(await archives.pinArchive(callerOf(req), selector, { reason, until }));
    },
    unpin: async ({ params, query }) =>
      ok(await archives.unpinArchive({ ...query, archive: params.archive_id })),
    delete: async ({ params, query, req }) =>
      ok(await archives.deleteArchive(callerOf(req), { ...query, archive: params.archive_id })),
    listOf: async ({ params: { repo_id: repository_id }, query }) => {
      if (query.schedule_id !== undefined) await schedules.getSchedule(query.schedule_id);
      return ok(await archives.listArchives({ ...query, repository_id }));
    },
    heatmap: async ({ params, query }) => ok(await archives.countArchives(params.repo_id, query)),
    infoOf: async ({ params, query, res }) =>
      ok(await archives.getArchive({ ...query, ...chosen(params) }, clientGone(res))),
    changes: async ({ params, query, res }) =>
      ok(await archives.getArchiveChanges({ ...query, ...chosen(params) }, clientGone(res))),
    lost: async ({ params, query, res }) =>
      ok(await archives.lostWithArchive({ ...query, archive: params.archive_id }, clientGone(res))),
    growth: async ({ params, query, res }) =>
      ok(await archives.getFolderGrowth({ ...query, repository_id: params.repo_id }, clientGone(res))),
    index: async ({ params }) => ok(await archives.getIndexState({ repository_id: params.repo_id })),
    searchOf: async ({ params, query: { q, ...query }, res }) =>
      ok(
        await archives.searchRepository(
          { ...query, query: q, repository_id: params.repo_id },
          clientGone(res),
        ),
      ),
  });

const chosen = ({ repo_id, archive_id }: { repo_id: number; archive_id: string }) => ({
  repository_id: repo_id,
  archive: archive_id,
});
