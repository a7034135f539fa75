import { expect, test } from 'vitest';
import {
  formatArchiveComment,
  parseArchiveComment,
} from '../../src/backup/repositories/archive-name.rules.js';
import { findInstallation } from '../../src/insight/monitoring/system.js';
import { memoryStorage } from '../fakes/memory-storage.js';

test('finds one persistent name, even for concurrent callers', async () => {
  const storage = memoryStorage();
  const names = await Promise.all(Array.from({ length: 5 }, () => findInstallation(storage)));
  expect(new Set([...names, await findInstallation(storage)]).size).toBe(1);
  expect(await findInstallation(memoryStorage())).not.toBe(names[0]);
});

test('finds a name that fits into an archive comment', async () => {
  const installation = await findInstallation(memoryStorage());
  const comment = formatArchiveComment({ installation, schedule: null, job: 7 });
  expect(parseArchiveComment(comment)).toEqual({ installation, schedule: null, job: 7 });
});
