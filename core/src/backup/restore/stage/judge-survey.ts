import { escapeName, humanSize, type Message, say } from '../../../foundation/kernel/index.js';
import type { CountedOwner } from '../owners.rules.js';
import type { RestoreOrder } from '../restore.rules.js';
import type { Survey } from './survey.js';

export interface Judged {
  survey: Survey;
  order: RestoreOrder;
  /** Existing directory in which the working folder is made. */
  parent: string;
  freeBytes: number;
  /** Free bytes on this server if the files pass through it, otherwise null. */
  freeHere: number | null;
  canSetOwners: boolean;
  /** Owners; how the target knows them is filled in only for a plan. */
  owners: CountedOwner[];
}

/** Why a restore would be rejected. Empty when it can start. */
export function obstaclesOf({ survey, order, freeBytes, freeHere }: Judged): Message[] {
  const { blocked, collisions, damaged, devices, bytes } = survey;
  const obstacles: Message[] = [];
  const [worst] = blocked.examples;
  if (worst) {
    obstacles.push(pathsBlocked(escapeName(worst.path), worst.reason, blocked.count - 1));
  }
  const [first] = collisions.examples;
  if (first && !order.overwrite && !order.skipExisting) {
    obstacles.push(pathsExist(escapeName(first.path), collisions.count - 1));
  }
  const [zeros] = damaged.examples;
  if (zeros !== undefined && order.overwrite) {
    obstacles.push(filesDamaged(escapeName(zeros), damaged.count - 1));
  }
  if (devices.size > 1) {
    const places = [...devices.values()].slice(0, 3);
    obstacles.push(
      say`target_spans_file_systems: The target spans several file systems (${{ places }}): restore each one separately.`,
    );
  }
  if (bytes > freeBytes && !order.acceptLowSpace) {
    obstacles.push(
      say`target_too_full: The restore needs at most ${{ needed: humanSize(bytes) }} at the target, but only ${{ free: humanSize(freeBytes) }} are free: free some space. Files with holes need less: set accept_low_space to try it.`,
    );
  }
  if (freeHere !== null && bytes > freeHere && !order.acceptLowSpace) {
    obstacles.push(
      say`data_folder_too_full: The files pass through the data folder of Holdfast and need at most ${{ needed: humanSize(bytes) }}, but only ${{ free: humanSize(freeHere) }} are free: free some space, or restore fewer paths at once. Files with holes need less: set accept_low_space to try it.`,
    );
  }
  return obstacles;
}

const pathsBlocked = (path: string, reason: string, more: number): Message =>
  more > 0
    ? say`restore_paths_blocked: ${{ path }}: ${{ reason }} (and ${{ more }} more). Choose other paths or another destination.`
    : say`restore_path_blocked: ${{ path }}: ${{ reason }}. Choose other paths or another destination.`;

const pathsExist = (path: string, more: number): Message =>
  more > 0
    ? say`restore_paths_exist: ${{ path }} already exists (and ${{ more }} more). Choose another destination, or set overwrite or skip_existing.`
    : say`restore_path_exists: ${{ path }} already exists. Choose another destination, or set overwrite or skip_existing.`;

const filesDamaged = (path: string, more: number): Message =>
  more > 0
    ? say`restore_files_damaged: ${{ path }} is damaged in the repository (and ${{ more }} more), and Holdfast does not replace a file with a damaged one. Choose other paths, or restore without overwrite, which skips them.`
    : say`restore_file_damaged: ${{ path }} is damaged in the repository, and Holdfast does not replace a file with a damaged one. Choose other paths, or restore without overwrite, which skips it.`;
