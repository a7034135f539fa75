import { escapeName, humanSize } from '../../kernel/index.js';
import type { RestoreOrder } from '../restore.rules.js';
import type { Survey } from './survey.js';

export interface Judged {
  survey: Survey;
  order: RestoreOrder;
  /** Existing directory in which the working folder is made. */
  parent: string;
  freeBytes: number;
  /** Free bytes on this machine when the files pass through it, else null. */
  freeHere: number | null;
  canSetOwners: boolean;
}

/** Why a restore would be rejected, one sentence each. Empty when it can start. */
export function obstaclesOf({ survey, order, freeBytes, freeHere }: Judged): string[] {
  const { blocked, collisions, damaged, devices, bytes } = survey;
  const obstacles: string[] = [];
  const [worst] = blocked.examples;
  if (worst) {
    obstacles.push(
      `${escapeName(worst.path)}: ${worst.reason}${more(blocked.count)}. Choose other paths or another destination.`,
    );
  }
  const [first] = collisions.examples;
  if (first && !order.overwrite && !order.skipExisting) {
    obstacles.push(
      `${escapeName(first.path)} already exists${more(collisions.count)}. Choose another destination, or set ` +
        'overwrite or skip_existing.',
    );
  }
  const [zeros] = damaged.examples;
  if (zeros !== undefined && order.overwrite) {
    obstacles.push(
      `${escapeName(zeros)} is damaged in the repository${more(damaged.count)}, and no file is replaced by a damaged ` +
        'one. Choose other paths, or restore without overwrite, which leaves it out.',
    );
  }
  if (devices.size > 1) {
    const places = [...devices.values()].slice(0, 3).join(', ');
    obstacles.push(`The target spans several file systems (${places}): restore each one separately.`);
  }
  if (bytes > freeBytes) {
    obstacles.push(
      `The restore needs ${humanSize(bytes)} at the target, but only ${humanSize(freeBytes)} are free: free space there.`,
    );
  }
  if (freeHere !== null && bytes > freeHere) {
    obstacles.push(
      `The files pass through the data folder of the service and need ${humanSize(bytes)} there, but only ` +
        `${humanSize(freeHere)} are free: free space there, or restore fewer paths at once.`,
    );
  }
  return obstacles;
}

const more = (count: number): string => (count > 1 ? ` (and ${count - 1} more)` : '');
