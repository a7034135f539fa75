import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { backupDriverSuite } from '@holdfast/testkit';
import { makeTarDriver } from '../src/driver.js';

const suite = backupDriverSuite({
  encryptions: ['none'],
  async open() {
    const workFolder = await mkdtemp(join(tmpdir(), 'driver-tar-'));
    return { driver: makeTarDriver(), workFolder, close: () => rm(workFolder, { recursive: true }) };
  },
  newTarget: (folder) => ({
    uid: randomUUID(),
    location: join(folder, randomUUID()),
    passphrase: null,
    keyFile: null,
    remoteToolPath: null,
  }),
});
for (const { name, run } of suite) test(name, run);
