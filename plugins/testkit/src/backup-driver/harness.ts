import type { BackupDriver, Encryption, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { type ConformanceCase, conformanceCase } from '../case.js';

/** A driver ready for use, with its own empty folder; `close` ends the driver and removes both. */
export interface OpenedDriver {
  driver: BackupDriver;
  /** Absolute path. Sources and repositories of the cases are created below it. */
  workFolder: string;
  close(): Promise<void>;
}

export interface BackupDriverHarness {
  /** Called once for each case. */
  open(): Promise<OpenedDriver>;
  /** A repository that does not exist yet, at a location below `folder`, with an unguessable `uid` and no secrets. */
  newTarget(folder: string): RepositoryTarget;
  /** The encryptions that the driver offers; the first one is used throughout. Default: `repokey` and `keyfile`. */
  encryptions?: Encryption[];
  /** Longer than the tool needs from its start to its first visible effect. Default: 1500. */
  settleMs?: number;
}

/** What a case works with: a repository that was just created. */
export interface Scene {
  driver: BackupDriver;
  target: RepositoryTarget;
  folder: string;
}

export const passphrase = 'correct-horse-battery-staple-4711';
export const encryptionsOf = (harness: BackupDriverHarness): Encryption[] =>
  harness.encryptions ?? ['repokey', 'keyfile'];

export async function withDriver(
  harness: BackupDriverHarness,
  work: (opened: OpenedDriver) => Promise<void>,
): Promise<void> {
  const opened = await harness.open();
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}

/** A case that starts with a new repository of the first encryption. */
export function withRepository(
  harness: BackupDriverHarness,
  name: string,
  work: (scene: Scene) => Promise<void>,
): ConformanceCase {
  const run = () =>
    withDriver(harness, async ({ driver, workFolder }) => {
      const target = { ...harness.newTarget(workFolder), passphrase };
      const encryption = encryptionsOf(harness)[0] as Encryption;
      const { value } = await driver.init(target, { encryption });
      await work({ driver, target: { ...target, keyFile: value.keyFile }, folder: workFolder });
    });
  return conformanceCase(name, run);
}
