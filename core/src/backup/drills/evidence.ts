import type { StorageSession } from '@holdfast/plugin-api';
import type { JobRow } from '../../engine/jobs/index.js';
import { inOwnTransaction, noteReport } from '../../engine/jobs/index.js';
import { Proofs, testedForMs } from './coverage.rules.js';
import type { DrillOutcome, PathResult } from './drill.rules.js';
import type { DrillsNeeds } from './needs.js';
import { drillResults, drills } from './tables.js';

const perRow = 500;
/** Drills whose results are read for the coverage. */
const maxDrills = 400;

const failuresFirst = (results: readonly PathResult[]): PathResult[] => [
  ...results.filter(({ verdict }) => verdict === 'failed'),
  ...results.filter(({ verdict }) => verdict !== 'failed'),
];

/** Stores the results and the outcome of a running drill together. */
export const writeEvidence = (
  { storage }: DrillsNeeds,
  job: JobRow,
  { results, outcome, at }: { results: readonly PathResult[]; outcome: DrillOutcome; at: number },
): Promise<void> =>
  inOwnTransaction(storage, job, async (session) => {
    await removeResults(session, job.id);
    const sorted = failuresFirst(results);
    for (let position = 0; position < sorted.length; position += perRow) {
      const entries = sorted.slice(position, position + perRow);
      await session.insert(drillResults, { job_id: job.id, position, at, entries });
    }
    await noteReport(session, job, outcome);
  });

export const removeResults = (session: StorageSession, jobId: number): Promise<number> =>
  session.remove(drillResults, { job_id: jobId });

/** The results from `offset` on. */
export async function readResults(
  { storage }: Pick<DrillsNeeds, 'storage'>,
  jobId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<PathResult[]> {
  const first = Math.floor(offset / perRow) * perRow;
  const where = { job_id: jobId, position: { gte: first, lt: offset + limit } };
  const rows = await storage.find(drillResults, { where, order: [['position', 'asc']] });
  return rows.flatMap(({ entries }) => entries).slice(offset - first, offset - first + limit);
}

/** Files of a repository that passed a drill recently enough, up to the memory limit. */
export async function readProofs({ storage, clock }: DrillsNeeds, repositoryId: number): Promise<Proofs> {
  const proofs = new Proofs();
  const rows = await storage.find(drills, {
    where: {
      repository_id: repositoryId,
      verdict: { in: ['passed', 'failed'] },
      ended_at: { gt: clock.now() - testedForMs },
    },
    order: [['id', 'desc']],
    limit: maxDrills,
  });
  for (const { job_id, ended_at } of rows) {
    if (proofs.isFull) break;
    for (const result of await readResults({ storage }, job_id, { offset: 0, limit: 100_000 }))
      if (result.type === 'file') proofs.add(result, ended_at);
  }
  return proofs;
}
