import type { SourceTally } from '../../foundation/ports/filesystem.js';

/** What is known of the sources so far. */
export interface Survey {
  tally: SourceTally;
  missing: string[];
  /** Sources that are symlinks. */
  symlinks: string[];
  /** Sources whose file systems do not answer. */
  silent: string[];
  /** False while nothing was counted, or when the host can't list what is there. */
  counted: boolean;
}

export const newSurvey = (): Survey => ({
  tally: {
    files: 0,
    bytes: 0,
    symlinks: 0,
    unreadable: 0,
    unreadablePaths: [],
    otherFileSystems: [],
    groups: new Map(),
  },
  missing: [],
  symlinks: [],
  silent: [],
  counted: false,
});

/** Views of the running system, not of files. */
const systemFolders = /^\/(proc|sys|dev|run)(\/|$)/;

/** The other file systems that a person would miss. */
export const skippedFrom = ({ otherFileSystems }: SourceTally, sources: readonly string[]): string[] =>
  otherFileSystems.filter((path) => !sources.includes(path) && !systemFolders.test(path)).toSorted();
