import { archiveCases } from './backup-driver/archives.js';
import { contentCases } from './backup-driver/contents.js';
import type { BackupDriverHarness } from './backup-driver/harness.js';
import { lockingCases } from './backup-driver/locking.js';
import { repositoryCases } from './backup-driver/repositories.js';
import { runningCases } from './backup-driver/running.js';
import { startingCases } from './backup-driver/starting.js';
import type { ConformanceCase } from './case.js';

export type { BackupDriverHarness } from './backup-driver/harness.js';

/** The cases by subject, to run them in several files at once. */
export const backupDriverCases = {
  repositories: repositoryCases,
  archives: archiveCases,
  contents: contentCases,
  starting: startingCases,
  running: runningCases,
  locking: lockingCases,
};

/** Conformance cases for a BackupDriver, with this machine's real tool and local repositories. Needs Linux's /proc. */
export function backupDriverSuite(harness: BackupDriverHarness): ConformanceCase[] {
  return Object.values(backupDriverCases).flatMap((cases) => cases(harness));
}
