import type { JobProgress } from '../jobs/job.rules.js';
import type { CheckParameters } from './maintenance-job.rules.js';
import type { ToolProgress } from '../ports/backup-driver.js';

/** The repository, then the content where that is asked for, then the archives. */
const phasesOf = ({ maxSeconds, verifyData }: CheckParameters): number =>
  maxSeconds > 0 ? 1 : verifyData ? 3 : 2;

/** Turns what the tool tells of its phases into one percentage: each phase has an equal part of it. */
export function checkProgress(parameters: CheckParameters): (told: ToolProgress) => Partial<JobProgress> {
  const phases = phasesOf(parameters);
  const seen: string[] = [];
  return ({ phase, current, total, message }) => {
    if (phase !== undefined && !seen.includes(phase)) seen.push(phase);
    const text = message === undefined ? {} : { message };
    if (current === undefined || !total) return text;
    const before = Math.min(phases - 1, Math.max(0, seen.length - 1));
    const within = Math.min(1, current / total);
    return {
      percent: (100 * (before + within)) / phases,
      ...(message === undefined ? {} : { message: `${message} (${current}/${total})` }),
    };
  };
}
