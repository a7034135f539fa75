import type { DrillEvidence, DrillFilter, DrillPage, DrillResultView, DrillView } from '@holdfast/contracts';
import type { JobStatus } from '../../engine/jobs/index.js';
import { errorOf } from '../../engine/jobs/index.js';
import {
  escapeName,
  hasUndecodable,
  isoTime,
  notFound,
  say,
  shownParams,
} from '../../foundation/kernel/index.js';
import type { PathResult } from './drill.rules.js';
import { readResults } from './evidence.js';
import type { DrillsNeeds } from './needs.js';
import { type DrillRow, drillResults, drills } from './tables.js';

type Needs = Pick<DrillsNeeds, 'storage'>;

/** Newest first. `next_before` is null at the end. */
export async function listDrills(
  { storage }: Needs,
  { repository_id, before, limit }: DrillFilter,
): Promise<DrillPage> {
  const rows = await storage.find(drills, {
    where: {
      ...(repository_id === undefined ? {} : { repository_id }),
      ...(before === undefined ? {} : { id: { lt: before } }),
    },
    order: [['id', 'desc']],
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const next_before = rows.length > limit ? (shown.at(-1)?.id ?? null) : null;
  return { success: true, drills: shown.map(drillView), next_before };
}

/** Throws AppError `not_found`. */
export async function getDrill(
  { storage }: Needs,
  id: number,
  page: { offset: number; limit: number },
): Promise<DrillEvidence> {
  const [row] = await storage.find(drills, { where: { id }, limit: 1 });
  if (!row) throw notFound(say`drill_unknown: There is no drill ${{ drill: id }}.`);
  const results = await readResults({ storage }, row.job_id, page);
  return {
    success: true,
    drill: drillView(row),
    results: results.map(resultView),
    results_total: await countOf({ storage }, row.job_id),
  };
}

async function countOf({ storage }: Needs, jobId: number): Promise<number> {
  const order = [['position', 'desc']] as const;
  const [last] = await storage.find(drillResults, { where: { job_id: jobId }, order, limit: 1 });
  return last ? last.position + last.entries.length : 0;
}

export const drillView = (row: DrillRow): DrillView => ({
  id: row.id,
  job_id: row.job_id,
  repository_id: row.repository_id,
  repository_name: row.repository_name,
  status: row.status as JobStatus,
  verdict: row.verdict,
  requested_by: row.requested_by,
  planned_at: isoTime(row.planned_at),
  started_at: isoTime(row.started_at),
  ended_at: isoTime(row.ended_at),
  seconds: Math.max(0, row.ended_at - row.started_at) / 1000,
  archive:
    row.archive_name === null
      ? null
      : {
          name: row.archive_name,
          id: row.archive_tool_id ?? '',
          start: isoTime(row.archive_start ?? 0),
        },
  archive_files: row.archive_files,
  archive_bytes: row.archive_bytes,
  restored_files: row.restored_files,
  restored_bytes: row.restored_bytes,
  failed_files: row.failed_files,
  not_examined_files: row.not_examined_files,
  compared_with_source: row.compared_with_source,
  source_changed: row.source_changed,
  coverage_percent: row.coverage_percent,
  ...errorOf(row),
});

export const resultView = (result: PathResult): DrillResultView => ({
  path: escapeName(result.path),
  ...(hasUndecodable(result.path) ? { name_escaped: true as const } : {}),
  type: result.type,
  size: result.size,
  sha256: result.sha256,
  verdict: result.verdict,
  compared_with: result.bySource ? 'source' : 'inventory',
  source: result.source,
  reason: result.reason?.text ?? null,
  reason_code: result.reason?.code ?? null,
  reason_params: shownParams(result.reason?.params ?? null),
});
