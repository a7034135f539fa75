import { expect, test } from 'vitest';
import { withoutRemoved } from '../../src/backup/repositories/removed-repositories.js';
import { repositories } from '../../src/backup/repositories/tables.js';
import { partOf } from '../../src/foundation/kernel/index.js';
import { memoryStorage } from '../fakes/memory-storage.js';

test('reads part of the table by the column that hides removed registrations', async () => {
  const asked: unknown[] = [];
  const stored = memoryStorage();
  const storage = withoutRemoved({
    ...stored,
    find: (entity, query) => {
      asked.push([Object.keys(entity.columns), query?.where]);
      return stored.find(entity, query);
    },
  });
  await storage.find(partOf(repositories, 'id', 'name'), { where: { id: 1 } });
  expect(asked).toEqual([[['id', 'name', 'removed_at'], { id: 1, removed_at: null }]]);
});
