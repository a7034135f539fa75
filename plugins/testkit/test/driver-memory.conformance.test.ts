import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupDriverSuite } from '@holdfast/testkit';
import { describe, test } from 'vitest';
import { makeMemoryDriver } from '../driver-memory/index.js';

const suite = backupDriverSuite({
  encryptions: ['repokey', 'keyfile', 'none'],
  settleMs: 100,
  async open() {
    const workFolder = mkdtempSync(join(tmpdir(), 'driver-memory-'));
    return {
      driver: makeMemoryDriver(),
      workFolder,
      close: async () => rmSync(workFolder, { recursive: true }),
    };
  },
  newTarget: (folder) => ({
    uid: randomUUID(),
    location: join(folder, `repository ü ${randomUUID()}`),
    passphrase: null,
    keyFile: null,
    remoteToolPath: null,
  }),
});

describe('BackupDriver conformance of the driver in memory', () => {
  // It offers no tar.
  for (const { name, run } of suite.filter((each) => !each.name.startsWith('exportTar '))) test(name, run);
});
