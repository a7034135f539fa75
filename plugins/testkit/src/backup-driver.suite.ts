import { archiveCases as archives } from './backup-driver/archives.js';
import { contentCases as contents } from './backup-driver/contents.js';
import type { BackupDriverHarness } from './backup-driver/harness.js';
import { lockingCases as locking } from './backup-driver/locking.js';
import { repositoryCases as repositories } from './backup-driver/repositories.js';
import { runningCases as running } from './backup-driver/running.js';
import { startingCases as starting } from './backup-driver/starting.js';
import type { ConformanceCase } from './case.js';

export type { BackupDriverHarness } from './backup-driver/harness.js';

/** The cases by subject, to run them in several files at once. */
export const backupDriverCases = { repositories, archives, contents, starting, running, locking };

/** Conformance cases for a BackupDriver, with this machine's real tool and local repositories. Needs Linux's /proc. */
export function backupDriverSuite(harness: BackupDriverHarness): ConformanceCase[] {
  return Object.values(backupDriverCases).flatMap((cases) => cases(harness));
}
