import { escapeName, humanSize } from '../../kernel/index.js';
import type { RestoreOrder } from '../restore.rules.js';
import type { Survey } from './survey.js';

export interface Judged {
  survey: Survey;
  order: RestoreOrder;
  /** Existing directory in which the working folder is made. */
  parent: string;
  freeBytes: number;
  /** Where the files pass through this machine on their way: what is free there; else null. */
  freeHere: number | null;
  canSetOwners: boolean;
}

/** Why a restore would be refused, each a sentence for people; none: it can begin. */
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
      `${escapeName(first.path)} is there already${more(collisions.count)}. Choose another destination, or say ` +
        'overwrite or skip_existing.',
    );
  }
  const [zeros] = damaged.examples;
  if (zeros !== undefined && order.overwrite) {
    obstacles.push(
      `${escapeName(zeros)}: the repository holds it only damaged${more(damaged.count)}, and nothing whole is replaced ` +
        'by that. Choose other paths, or restore without overwrite, which leaves it out.',
    );
  }
  if (devices.size > 1) {
    const places = [...devices.values()].slice(0, 3).join(', ');
    obstacles.push(`The target spans several file systems (${places}): restore what lies on each by itself.`);
  }
  if (bytes > freeBytes) {
    obstacles.push(
      `${humanSize(bytes)} are needed at the target and ${humanSize(freeBytes)} are free: free space there.`,
    );
  }
  if (freeHere !== null && bytes > freeHere) {
    obstacles.push(
      `On their way the files need ${humanSize(bytes)} in the data folder of the service, where ` +
        `${humanSize(freeHere)} are free: free space there, or restore fewer paths at once.`,
    );
  }
  return obstacles;
}

const more = (count: number): string => (count > 1 ? ` (and ${count - 1} more)` : '');
