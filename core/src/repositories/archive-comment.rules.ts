/**
 * What every archive of ours says of itself. Anyone who may write to the repository can copy it: it is a hint where to
 * look for what was recorded, and never a proof.
 */
export interface ArchiveOrigin {
  installation: string;
  /** Random ids; in comments of before there were any, the numbers of the rows. Null for a backup started by hand. */
  schedule: string | number | null;
  job: string | number;
}

const former = /^holdfast:1:([^:]+):(-|\d+):(\d+)$/;
const current = /^holdfast:2:([^:]+):(-|[0-9a-z]+):([0-9a-z]+)$/;

export const formatArchiveComment = ({ installation, schedule, job }: ArchiveOrigin): string =>
  `holdfast:${typeof job === 'number' ? 1 : 2}:${installation}:${schedule ?? '-'}:${job}`;

/** Null for a comment that we did not write. */
export function parseArchiveComment(comment: string): ArchiveOrigin | null {
  const [, installation = '', schedule = '', job = ''] = current.exec(comment) ?? [];
  if (job) return { installation, schedule: schedule === '-' ? null : schedule, job };
  const [, place = '', before = '', number] = former.exec(comment) ?? [];
  if (number === undefined) return null;
  return { installation: place, schedule: before === '-' ? null : Number(before), job: Number(number) };
}
