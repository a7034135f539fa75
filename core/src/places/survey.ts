import type { SourceTally } from '../ports/filesystem.js';

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
  tally: { files: 0, bytes: 0, symlinks: 0, unreadable: 0, unreadablePaths: [], otherFileSystems: [] },
  missing: [],
  symlinks: [],
  silent: [],
  counted: false,
});
