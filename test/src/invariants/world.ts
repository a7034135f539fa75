import type { Planned } from '../soak/ledger.js';
import type { Writer } from '../soak/writer-record.js';

export interface JobFact {
  id: number;
  uid: string;
  kind: string;
  status: string;
  repository_id: number | null;
  repository_path: string;
  schedule_id: number | null;
  slot_id: number | null;
  owner: string | null;
  requested_at: number;
  completed_at: number | null;
  error_message: string | null;
  parameters: Record<string, unknown>;
  outcome: Record<string, unknown> | null;
}

export interface SlotFact {
  id: number;
  schedule_id: number;
  planned_at: number;
  outcome: string;
  reason: string | null;
}

/** Of a repository, as the tool tells it; the job by the archive's comment. */
export interface ArchiveFact {
  name: string;
  job: number | null;
}

export interface RepositoryFacts {
  path: string;
  /** What the tool itself lists. */
  archives: ArchiveFact[];
  /** What the service lists. */
  listed: string[];
}

/** What jobs end as, and slots that were run. */
export const endings = ['completed', 'completed_with_warnings', 'failed', 'cancelled'];

/** All that can be seen of an installation from outside, when nothing is left to be done. Null: nobody wrote it down. */
export interface World {
  jobs: JobFact[];
  slots: SlotFact[];
  events: { job_id: number | null; kind: string }[];
  deliveries: { message_id: string; status: string }[];
  /** Places in lanes that have not run out. */
  holders: { repository_id: number; holder: string }[];
  repositories: RepositoryFacts[];
  writers: readonly Writer[] | null;
  /** Message ids that the receiver of all notifications got. */
  received: string[] | null;
  /** Instants at which schedules were made due. */
  planned: readonly Planned[] | null;
  /** Jobs that an answer named. */
  promised: readonly number[];
  /** Answers that nobody may get, in words. */
  wrongAnswers: readonly string[] | null;
  /** Processes of the tool, and of hooks. */
  processes: string[];
  /** Working files that nobody works with. */
  files: string[];
  /** What each service says of itself. */
  health: unknown[];
  /** All that each service logged. */
  logs: string[];
}
