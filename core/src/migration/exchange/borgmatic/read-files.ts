import type { BorgmaticAnswer, BorgmaticImport } from '@holdfast/contracts';
import { isAppError } from '../../../foundation/kernel/index.js';
import { Answers, type Need } from './answers.rules.js';
import { readTree, unreadable } from './read-tree.js';
import { resolved } from './resolve.rules.js';
import type { MapTree } from './tree.js';

/** The most answers that one call accepts. */
const mostAsked = 1_000;

/** Plain data: it comes from another thread. */
export interface FilesRead {
  trees: MapTree[];
  /** What the files refer to, and nobody answered. */
  asked: Need[];
  unreadable: { file: string; line: number; problem: string } | null;
}

/** Reads files with all that they include. Hostile ones take long: a server reads them in another thread. */
export type ReadFiles = (
  files: BorgmaticImport['files'],
  given: readonly BorgmaticAnswer[],
) => Promise<FilesRead>;

export const readFiles: ReadFiles = async (files, given) => {
  const answers = new Answers(given);
  const count = { nodes: 0 };
  const trees: MapTree[] = [];
  try {
    for (const file of files) trees.push(resolved(await readTree(file, answers, count), answers));
    const tooMuch = answers.asked[mostAsked];
    if (tooMuch) throw unreadable(tooMuch.file, tooMuch.line, 'the files refer to more than can be answered');
    return { trees, asked: answers.asked, unreadable: null };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const { file, line, problem } = error.reason.params;
    return {
      trees,
      asked: [],
      unreadable: { file: String(file), line: Number(line), problem: String(problem) },
    };
  }
};
