import { expect, it } from 'vitest';
import { archives } from '../../src/backup/repositories/tables.js';
import { getRepositoryHistory } from '../../src/insight/history/repository-history.js';
import { archiveScene } from '../archives/archive-scene.js';

it('leaves the added size empty if the sizes were read later', async () => {
  const { storage, clock, repository, dependencies, useCases, change, end } = await archiveScene();
  const at = clock.now();
  await change({ inventory_at: at });
  const row = { repository_id: repository.id, hostname: 'h', username: 'u', comment: '', seen_at: at };
  const sizes = { original_size: 900, deduplicated_size: 40 };
  await storage.insert(archives, {
    ...row,
    ...sizes,
    tool_id: 'a',
    name: 'ours',
    start: at - 2,
    job_id: 1,
  });
  await storage.insert(archives, {
    ...row,
    ...sizes,
    tool_id: 'b',
    name: 'theirs',
    start: at - 1,
    measured_at: at,
  });
  const told = await getRepositoryHistory(dependencies, repository.id, { limit: 9, offset: 0 });
  expect(told.archives.map(({ added_bytes }) => added_bytes)).toEqual([40, null]);
  const listed = await useCases.listArchives({ repository_id: repository.id, known_only: true });
  expect(listed.archives.map(({ added_size, deduplicated_size }) => [added_size, deduplicated_size])).toEqual(
    [
      [40, 40],
      [null, 40],
    ],
  );
  await end();
});
