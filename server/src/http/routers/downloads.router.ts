import { downloadsContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { readDownloadLink } from '../downloads/download-link.js';
import { withoutBase } from '../middleware/base-path.js';
import { callerOf } from '../sign-in/auth.js';
import { created } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const downloadsRouter = ({
  auth,
  archives,
}: Pick<UseCases, 'auth' | 'archives'>): RouterOf<typeof downloadsContract> =>
  server.router(downloadsContract, {
    createTicket: async ({ body, req }) => {
      const { url, file_paths: filePaths } = body;
      const link = readDownloadLink(withoutBase(url, req.baseUrl), { filePaths });
      if (link.from) await archives.admitDownload(callerOf(req), link.from);
      const { ticket, expiresAt } = await auth.issueTicket(callerOf(req), { ...link, filePaths });
      const expires_at = new Date(expiresAt).toISOString();
      return created({
        success: true as const,
        ticket,
        url: `${req.baseUrl}${link.withTicket(ticket)}`,
        expires_at,
      });
    },
  });
