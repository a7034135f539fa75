import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BackupDriverHarness, backupDriverCases } from '@holdfast/testkit';
import { describe, test } from 'vitest';
import { makeDriver } from './make-driver.js';

type Subject = keyof typeof backupDriverCases;

/** Tests what the port promises about these subjects, by default all, with one borg. */
export function testConformance(
  binary: string,
  subjects = Object.keys(backupDriverCases) as Subject[],
  encryptions: BackupDriverHarness['encryptions'] = ['repokey-blake2', 'keyfile'],
): void {
  const harness: BackupDriverHarness = {
    encryptions,
    newTarget: (folder) => ({
      uid: randomUUID(),
      location: join(folder, `repository ü {now} ${randomUUID()}`),
      passphrase: null,
      keyFile: null,
      remoteToolPath: null,
    }),
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'driver-borg-'));
      const driver = await makeDriver(join(folder, 'data'), binary);
      const close = async () => {
        await driver.stop?.();
        await rm(folder, { recursive: true, force: true });
      };
      return { driver, workFolder: folder, close };
    },
  };
  describe.each(subjects)(`BackupDriver conformance of ${binary}: %s`, (subject) => {
    for (const { name, run } of backupDriverCases[subject](harness)) test(name, run);
  });
}
