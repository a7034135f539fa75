/** The comment that every archive of ours carries: whose retention it falls under is read from it, never from a name. */
export interface ArchiveOrigin {
  installation: string;
  /** Null for a backup started by hand. */
  scheduleId: number | null;
  jobId: number;
}

const pattern = /^holdfast:1:([^:]+):(-|\d+):(\d+)$/;

export const formatArchiveComment = ({ installation, scheduleId, jobId }: ArchiveOrigin): string =>
  `holdfast:1:${installation}:${scheduleId ?? '-'}:${jobId}`;

/** Null for a comment that we did not write. */
export function parseArchiveComment(comment: string): ArchiveOrigin | null {
  const match = pattern.exec(comment);
  if (!match) return null;
  const [, installation = '', schedule, job] = match;
  return { installation, scheduleId: schedule === '-' ? null : Number(schedule), jobId: Number(job) };
}
