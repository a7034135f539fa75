import type { StorageSession } from '@holdfast/plugin-api';
import { notFound, say } from '../../foundation/kernel/index.js';
import { findJob } from './find-job.js';
import type { JobKind } from './job.rules.js';
import { jobLogLimits } from './job-log.js';
import type { JobsNeeds } from './needs.js';
import { type JobLogRow, jobLogs, jobs } from './tables.js';

/** When the middle of a long log was left out, one line says so, with the number of the last missing line. */
export interface JobLogPage {
  /** `line_number` is 1-based and absolute: the last one is the offset of the next page. */
  lines: { line_number: number; content: string }[];
  total_lines: number;
  has_more: boolean;
}

const chunksAtOnce = 16;

/** At most `limit` lines from `offset` (0-based). An unknown job, or one without lines, gives an empty page. */
export async function readJobLog(
  storage: StorageSession,
  jobId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<JobLogPage> {
  const [job] = await storage.find(jobs, { where: { id: jobId }, limit: 1 });
  const total = job?.log_lines ?? 0;
  const lines: JobLogPage['lines'] = [];
  if (offset >= total || limit <= 0) return { lines, total_lines: total, has_more: offset < total };
  for await (const line of linesFrom(storage, jobId, offset)) {
    if (line.line_number > total) break;
    if (lines.length === limit) break;
    lines.push(line);
  }
  const last = lines.at(-1)?.line_number ?? total;
  return { lines, total_lines: total, has_more: last < total };
}

/** The whole log as text in chunks, each ending with a newline. */
export async function* streamJobLog(storage: StorageSession, jobId: number): AsyncGenerator<string> {
  let next = 0;
  for await (const chunk of chunksFrom(storage, jobId, 0)) {
    if (chunk.first_line > next) yield `${leftOut(chunk.first_line - next)}\n`;
    yield `${chunk.content}\n`;
    next = chunk.first_line + chunk.line_count;
  }
}

async function* linesFrom(storage: StorageSession, jobId: number, offset: number) {
  let next = offset;
  for await (const chunk of chunksFrom(storage, jobId, offset)) {
    if (chunk.first_line > next) {
      yield { line_number: chunk.first_line, content: leftOut(chunk.first_line - next) };
      next = chunk.first_line;
    }
    for (const content of chunk.content.split('\n').slice(next - chunk.first_line)) {
      next += 1;
      yield { line_number: next, content };
    }
  }
}

/** The chunk that contains line `offset`, or the first one after it, and all that follow. */
async function* chunksFrom(
  storage: StorageSession,
  jobId: number,
  offset: number,
): AsyncGenerator<JobLogRow> {
  let from = offset - jobLogLimits.chunkLines;
  for (;;) {
    const chunks = await storage.find(jobLogs, {
      where: { job_id: jobId, first_line: { gt: from } },
      order: [['first_line', 'asc']],
      limit: chunksAtOnce,
    });
    for (const chunk of chunks) {
      if (chunk.first_line + chunk.line_count > offset) yield chunk;
    }
    const last = chunks.at(-1);
    if (!last || chunks.length < chunksAtOnce) return;
    from = last.first_line;
  }
}

const leftOut = (count: number) => `[… ${count} lines left out …]`;

/**
 * Lines from `offset` (0-based) of a job of this kind, or of any; a job without lines gives an empty page. Throws
 * AppError `not_found`.
 */
export async function readLog(
  { storage }: JobsNeeds,
  kind: JobKind | null,
  jobId: number,
  { offset, limit }: { offset: number; limit: number },
) {
  const job = await findJob(storage, kind, jobId);
  const page = await readJobLog(storage, jobId, { offset, limit });
  return { success: true as const, job_id: jobId, status: job.status, ...page };
}

/** The whole log as a download. Throws AppError `not_found`, also when the job has no lines. */
export const downloadLog =
  ({ storage }: JobsNeeds, kind: JobKind | null) =>
  async (jobId: number) => {
    const job = await findJob(storage, kind, jobId);
    const name = job.kind.replaceAll('_', ' ');
    const kindOfJob = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    if (job.log_lines === 0) {
      throw notFound(say`job_log_empty: ${{ kind: kindOfJob }} job ${{ id: jobId }} has no log lines.`);
    }
    return {
      fileName: `${job.kind}_job_${jobId}_logs.txt`,
      contentType: 'text/plain; charset=utf-8',
      stream: streamJobLog(storage, jobId),
    };
  };

/** The last `most` lines as one text, or null when there are none. */
export async function lastLines(
  { storage }: JobsNeeds,
  { id, log_lines }: { id: number; log_lines: number },
  most: number,
): Promise<string | null> {
  if (log_lines === 0) return null;
  const { lines } = await readJobLog(storage, id, { offset: Math.max(0, log_lines - most), limit: most });
  return lines.map(({ content }) => content).join('\n');
}
