import { archiveCases } from './backup-driver/archives.js';
import { contentCases } from './backup-driver/contents.js';
import type { BackupDriverHarness } from './backup-driver/harness.js';
import { lockingCases } from './backup-driver/locking.js';
import { repositoryCases } from './backup-driver/repositories.js';
import { runningCases } from './backup-driver/running.js';
import { startingCases } from './backup-driver/starting.js';
import type { ConformanceCase } from './case.js';

export type { BackupDriverHarness } from './backup-driver/harness.js';

/** Conformance cases for a BackupDriver, with this machine's real tool and local repositories. Needs Linux's /proc. */
export function backupDriverSuite(harness: BackupDriverHarness): ConformanceCase[] {
  return [
    ...repositoryCases(harness),
    ...archiveCases(harness),
    ...contentCases(harness),
    ...startingCases(harness),
    ...runningCases(harness),
    ...lockingCases(harness),
  ];
}
