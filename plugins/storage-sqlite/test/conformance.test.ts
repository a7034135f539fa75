import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageSuite } from '@holdfast/testkit';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openFile } from './open-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-sqlite-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('storage-sqlite passes the suite for storages', () => {
  for (const { name, run } of storageSuite({
    open: (store, start) => openFile(join(folder, `${store}.sqlite`), start),
  }))
    it(name, run);
});
