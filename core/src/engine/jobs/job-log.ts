import type { Clock, Log, StorageBackend, StorageSession } from '@holdfast/plugin-api';
import type { ToolLogLine } from '@holdfast/plugin-api/driver';
import { inTransaction } from '../../foundation/kernel/index.js';
import type { Redactor } from '../../foundation/ports/services.js';
import { isTerminal } from './job.rules.js';
import type { FencedRow } from './job-lease.js';
import { formatLogLines } from './job-log-line.js';
import { type JobRow, jobLogs, jobs } from './tables.js';

/** Limits for a log: its first lines are always kept, and the last ones of the others. Lines keep their numbers. */
export const jobLogLimits = {
  headLines: 2_000,
  headBytes: 1024 * 1024,
  tailLines: 8_000,
  tailBytes: 4 * 1024 * 1024,
  chunkLines: 500,
  chunkBytes: 64 * 1024,
} as const;

interface Line {
  /** 0-based, within the whole log. */
  number: number;
  content: string;
  bytes: number;
}
interface Chunk {
  first: number;
  lines: number;
  bytes: number;
}

export interface JobLogParts {
  storage: StorageBackend;
  row: FencedRow;
  redactor: Redactor;
  clock: Clock;
  log: Log;
  /** The longest time that a line stays in memory, in milliseconds. */
  every: number;
}

/** Collects the log lines of one run and writes them in chunks, each guarded by the fence of the job. */
export class JobLogWriter {
  readonly #parts: JobLogParts;
  readonly #jobId: number;
  #pending: Line[] = [];
  #pendingBytes = 0;
  #next: number;
  #head: Chunk;
  #tail: Chunk[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | null = null;
  #closed = false;

  constructor(parts: JobLogParts, job: Pick<JobRow, 'id' | 'log_lines'>) {
    this.#parts = parts;
    this.#jobId = job.id;
    this.#next = job.log_lines;
    this.#head = { first: 0, lines: job.log_lines, bytes: 0 };
  }

  add(line: ToolLogLine): void {
    if (this.#closed || this.#parts.row.lost) return;
    for (const content of formatLogLines(line, this.#parts.clock.now(), this.#parts.redactor)) {
      const bytes = Buffer.byteLength(content) + 1;
      this.#pending.push({ number: this.#next, content, bytes });
      this.#pendingBytes += bytes;
      this.#next += 1;
    }
    if (this.#pendingBytes > jobLogLimits.tailBytes) this.#forgetHalf();
    this.#schedule(this.#pendingBytes >= jobLogLimits.chunkBytes ? 0 : this.#parts.every);
  }

  /**
   * Writes the collected lines, or all but the last chunk, which is left for `writeLast`. Rejects with the error of
   * the storage; the lines stay for the next try.
   */
  async flush({ butLast = false } = {}): Promise<void> {
    while (this.#flushing) await this.#flushing;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#writeAll(butLast).finally(() => {
      this.#flushing = null;
    });
    await this.#flushing;
  }

  /**
   * Writes the chunk that `flush` left, in the transaction that ends the job, which saves a commit. Resolves to the
   * changes for the row of the job.
   */
  async writeLast(session: StorageSession): Promise<Partial<JobRow>> {
    if (this.#pending.length === 0) return {};
    const { chunk } = await this.#insert(session, this.#nextLines());
    return { log_lines: chunk.first + chunk.lines };
  }

  /** Drops all later lines. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #schedule(delay: number): void {
    if (this.#flushing || (this.#timer && delay > 0)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.flush().catch((error: unknown) => {
        this.#parts.log.warn('the log of a job could not be written', { error });
        if (!this.#closed) this.#schedule(this.#parts.every);
      });
    }, delay);
  }

  /** The storage is unavailable and the tool keeps logging: drop the middle first. */
  #forgetHalf(): void {
    this.#pending = this.#pending.slice(this.#pending.length >> 1);
    this.#pendingBytes = this.#pending.reduce((sum, line) => sum + line.bytes, 0);
  }

  async #writeAll(butLast: boolean): Promise<void> {
    while (this.#pending.length > 0 && !this.#parts.row.lost) {
      const lines = this.#nextLines();
      if (butLast && lines.length === this.#pending.length) return;
      await this.#write(lines);
      const sent = new Set(lines);
      this.#pending = this.#pending.filter((line) => !sent.has(line));
      this.#pendingBytes = sumBytes(this.#pending);
    }
  }

  /** Consecutive lines for one chunk; the last chunk of the head ends with the head. */
  #nextLines(): Line[] {
    const first = this.#pending[0]?.number ?? 0;
    const room = this.#headIsOpen() ? jobLogLimits.headLines - this.#head.lines : jobLogLimits.chunkLines;
    const most = Math.min(room, jobLogLimits.chunkLines);
    const lines: Line[] = [];
    let bytes = 0;
    for (const line of this.#pending) {
      const full = lines.length === most || bytes + line.bytes > jobLogLimits.chunkBytes;
      if (lines.length > 0 && (full || line.number !== first + lines.length)) break;
      lines.push(line);
      bytes += line.bytes;
    }
    return lines;
  }

  #headIsOpen(): boolean {
    return (
      this.#tail.length === 0 &&
      this.#head.lines < jobLogLimits.headLines &&
      this.#head.bytes < jobLogLimits.headBytes
    );
  }

  async #write(lines: Line[]): Promise<void> {
    const written = await inTransaction(this.#parts.storage, async (session) => {
      const log_lines = (lines.at(-1)?.number ?? 0) + 1;
      return (await this.#parts.row.update({ log_lines }, session)) ? this.#insert(session, lines) : null;
    });
    if (!written) return;
    const { chunk, tail } = written;
    if (tail) this.#tail = tail;
    else this.#head = add(this.#head, chunk);
  }

  /** `tail`: its chunks afterwards; null when the lines belong to the head. */
  async #insert(session: StorageSession, lines: Line[]): Promise<{ chunk: Chunk; tail: Chunk[] | null }> {
    const chunk = { first: lines[0]?.number ?? 0, lines: lines.length, bytes: sumBytes(lines) };
    const tail = this.#headIsOpen() ? [] : [...this.#tail, chunk];
    const dropped = excess(tail);
    await session.insert(jobLogs, {
      job_id: this.#jobId,
      first_line: chunk.first,
      line_count: chunk.lines,
      content: lines.map(({ content }) => content).join('\n'),
    });
    const old = dropped.map(({ first }) => first);
    if (old.length > 0) await session.remove(jobLogs, { job_id: this.#jobId, first_line: { in: old } });
    return { chunk, tail: tail.length === 0 ? null : tail.slice(dropped.length) };
  }
}

/** The oldest chunks that exceed the limits of the tail. */
function excess(tail: Chunk[]): Chunk[] {
  let lines = tail.reduce((sum, chunk) => sum + chunk.lines, 0);
  let bytes = sumBytes(tail);
  const count = tail.findIndex((chunk) => {
    lines -= chunk.lines;
    bytes -= chunk.bytes;
    return lines < jobLogLimits.tailLines && bytes < jobLogLimits.tailBytes;
  });
  return tail.slice(0, Math.max(0, count));
}

const sumBytes = (items: readonly { bytes: number }[]) => items.reduce((sum, { bytes }) => sum + bytes, 0);
const add = (head: Chunk, chunk: Chunk): Chunk => ({
  first: 0,
  lines: head.lines + chunk.lines,
  bytes: head.bytes + chunk.bytes,
});

/** Appends formatted lines to the log of an ended job. Does nothing when the job is running or gone. */
export function appendJobLog(
  { storage }: { storage: StorageBackend },
  jobId: number,
  lines: readonly string[],
): Promise<void> {
  return inTransaction(storage, async (session) => {
    const [job] = await session.find(jobs, { where: { id: jobId }, limit: 1 });
    if (!job || !isTerminal(job.status) || lines.length === 0) return;
    await session.update(jobs, { id: jobId }, { log_lines: job.log_lines + lines.length });
    for (let at = 0; at < lines.length; at += jobLogLimits.chunkLines) {
      const chunk = lines.slice(at, at + jobLogLimits.chunkLines);
      const place = { job_id: jobId, first_line: job.log_lines + at, line_count: chunk.length };
      await session.insert(jobLogs, { ...place, content: chunk.join('\n') });
    }
  });
}
