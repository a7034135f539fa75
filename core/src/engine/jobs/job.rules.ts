import type { JobView } from '@holdfast/contracts';
import { Message, type MessageParams, say } from '../../foundation/kernel/index.js';

export type JobKind = JobView['kind'];
export type JobStatus = JobView['status'];

export const terminalStatuses = ['completed', 'completed_with_warnings', 'failed', 'cancelled'] as const;
export type TerminalStatus = (typeof terminalStatuses)[number];

export const isTerminal = (status: JobStatus): status is TerminalStatus =>
  (terminalStatuses as readonly string[]).includes(status);

/** The last known figures; a figure that the tool does not report again keeps its value. Bytes, counts, seconds. */
export interface JobProgress {
  percent: number;
  originalSize: number;
  compressedSize: number;
  deduplicatedSize: number;
  files: number;
  currentPath: string;
  /** MB/s (2^20), moving average over 30 s. */
  speed: number;
  /** Bytes of the sources; 0 until known. */
  expectedSize: number;
  secondsRemaining: number;
  message: string | null;
}

export const noProgress: JobProgress = {
  percent: 0,
  originalSize: 0,
  compressedSize: 0,
  deduplicatedSize: 0,
  files: 0,
  currentPath: '',
  speed: 0,
  expectedSize: 0,
  secondsRemaining: 0,
  message: null,
};

/** The parameters of a job; the handler of each kind knows its keys. JSON. */
export type JobParameters = Record<string, unknown>;

/** The result beyond status and error; the handler of each kind knows its keys. JSON. */
export type JobOutcome = Record<string, unknown>;

interface NamedJob {
  kind: JobKind;
  id: number;
  repository_name: string;
}

/** Describes a job for users: `backup job 12 of repository photos`. */
export const describeJob = (job: NamedJob): string => waitsForJob(job).text;

/** What a job waits for that waits for this one. */
export function waitsForJob({ kind, id, repository_name: repository }: NamedJob): Message {
  const name = kind.replaceAll('_', ' ');
  if (kind === 'discovery')
    return say`waiting_for_discovery: discovery job ${{ job: id }} in ${{ folder: repository }}`;
  return say`waiting_for_job: ${{ kind: name }} job ${{ job: id }} of repository ${{ repository }}`;
}

/** `exclusive` for writers (create, delete, prune, compact, check), `shared` for readers. */
export type LaneMode = 'exclusive' | 'shared';

export interface LaneHolder {
  /** `job:<id>`, or `read:<random>` for a request that reads. */
  id: string;
  mode: LaneMode;
  /** Description for users: `backup job 12`. */
  what: string;
  /** Of a job: code and values of `what`. */
  said?: { code: string; params: MessageParams };
  /** Milliseconds since the epoch. The place of a reader expires; that of a job ends only with the job. */
  until: number;
}

/** A lane admits a newcomer when it is empty, or when the newcomer and all holders are `shared`. */
export function admits(holders: readonly LaneHolder[], mode: LaneMode): boolean {
  return holders.length === 0 || (mode === 'shared' && holders.every((holder) => holder.mode === 'shared'));
}

export const waitsForHolder = ({ what, said }: LaneHolder): Message =>
  said ? new Message(said.code, said.params, what) : say`waiting_for_reader: ${{ reader: what }}`;

/** Places of readers are never given for longer than this. One that is was given before the clock was set back. */
const maxReaderPlaceMs = 120_000;

/** The holders without expired readers. Jobs stay until they end. */
export function withoutExpiredReaders(holders: readonly LaneHolder[], now: number): LaneHolder[] {
  const lives = ({ until }: LaneHolder) => until > now && until <= now + maxReaderPlaceMs;
  return holders.filter((holder) => !holder.id.startsWith('read:') || lives(holder));
}

/** The state of prune and compact after a scheduled backup, shown with the backup job. */
export type MaintenanceStatus =
  | 'running_prune'
  | 'prune_completed'
  | 'prune_failed'
  /** The archive lacks sources: nothing is removed, and no compact follows. */
  | 'prune_skipped'
  | 'running_compact'
  | 'compact_failed'
  | 'maintenance_completed';

/** A step that ended with warnings counts as successful. */
export const succeeded = (status: TerminalStatus): boolean =>
  status === 'completed' || status === 'completed_with_warnings';

/** The status after the prune, before a compact that may follow. */
export function statusAfterPrune(status: TerminalStatus, compactFollows: boolean): MaintenanceStatus {
  if (!succeeded(status)) return 'prune_failed';
  return compactFollows ? 'prune_completed' : 'maintenance_completed';
}

/** The status after the compact, the last step. It does not hide a failed prune. */
export function statusAfterCompact(status: TerminalStatus, pruneFailed: boolean): MaintenanceStatus {
  if (!succeeded(status)) return 'compact_failed';
  return pruneFailed ? 'prune_failed' : 'maintenance_completed';
}
