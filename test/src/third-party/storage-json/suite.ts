import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { storageSuite } from '@holdfast/testkit';
import { JsonStorage } from './json-storage.js';

const folder = await mkdtemp(join(tmpdir(), 'storage-json-'));
after(() => rm(folder, { recursive: true }));

const suite = storageSuite({
  async open(store, start) {
    const storage = new JsonStorage(join(folder, `${store}.json`));
    await storage.start(start);
    return { storage, close: () => storage.stop() };
  },
});
for (const { name, run } of suite) test(name, run);
