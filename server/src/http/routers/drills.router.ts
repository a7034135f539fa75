import { drillsContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { noteRemark } from '../audit/audit-requests.js';
import { sendDownload } from '../downloads/streams.js';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const drillsRouter = ({ drills }: Pick<UseCases, 'drills'>): RouterOf<typeof drillsContract> =>
  server.router(drillsContract, {
    getSchedule: async ({ params }) => ok(await drills.getDrillSchedule(params.repo_id)),
    putSchedule: async ({ params, body, req }) =>
      ok(await drills.putDrillSchedule(params.repo_id, body, callerOf(req))),
    start: async ({ params, req }) => ok(await drills.startDrill(callerOf(req), params.repo_id)),
    list: async ({ query }) => ok(await drills.listDrills(query)),
    export: async ({ query, req, res }) => {
      const { content, sha256, ...file } = await drills.exportDrills(callerOf(req), query);
      noteRemark(res, `sha256 ${sha256}`);
      return sendDownload(res, { ...file, stream: asyncOf(content) });
    },
    // Must come after `export`, which is not an id.
    get: async ({ params, query }) => ok(await drills.getDrill(params.drill_id, query)),
  });

async function* asyncOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}
