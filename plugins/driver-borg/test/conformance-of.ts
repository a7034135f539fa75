import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupDriverSuite, type ConformanceCase } from '@holdfast/testkit';
import { makeDriver } from './make-driver.js';

/** The promises of the port, for one borg. */
export const conformanceOf = (binary: string): ConformanceCase[] =>
  backupDriverSuite({
    encryptions: ['repokey-blake2', 'keyfile', 'keyfile-blake2'],
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
  });
