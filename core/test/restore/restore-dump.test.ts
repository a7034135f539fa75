import { expect, test } from 'vitest';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import type { RestoreNeeds } from '../../src/backup/restore/needs.js';
import { startDumpRestore } from '../../src/backup/restore/restore-dump.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const admin = { userId: 1, username: 'ada', isAdmin: true, readOnly: false, tokenId: 1 };

test.each<[Record<string, string>, string, boolean]>([
  [{}, 'holdfast', false],
  [{ host: 'localhost', port: '5432' }, 'holdfast', false],
  [{ host: 'db.example.org' }, 'holdfast', true],
  [{ port: '5433' }, 'holdfast', true],
  [{}, 'shop', true],
])('refuses to replace the database of the service: %j, %s', async (settings, into, isQueued) => {
  const storage = memoryStorage();
  const clock = manualClock();
  const source = { uid: 'u', kind: 'postgresql', name: 'shop', container: null, settings };
  const { id } = await storage.insert(repositories, {
    uid: 'r',
    tool_id: 'r',
    name: 'home',
    path: '/r',
    mode: 'full',
    encryption: 'none',
    compression: 'lz4',
    source_directories: [],
    exclude_patterns: [],
    sources: [source],
    created_at: 0,
    updated_at: 0,
    inventory_at: clock.now(),
  });
  const row = { hostname: 'h', username: 'u', comment: '', seen_at: 0, start: 0 };
  await storage.insert(archives, { ...row, repository_id: id, name: 'one', tool_id: 't' });
  const needs = {
    storage,
    clock,
    sourceKinds: [{ id: 'postgresql', source: { fields: [], restore: async () => ({ text: '' }) } }],
    settings: { ownDatabase: 'holdfast' },
    lanes: {},
    jobs: { waitsFor: async () => null, insert: async () => ({ id: 5 }), wake: () => {} },
  } as unknown as RestoreNeeds;
  const path = 'holdfast-sources/postgresql/shop/shop.dump';
  const order = { repository_id: id, archive: 'one', path, into, replace: into };
  const started = startDumpRestore(needs, admin as never, order as never);
  if (isQueued) await expect(started).resolves.toMatchObject({ job_id: 5 });
  else await expect(started).rejects.toMatchObject({ reason: { code: 'dump_into_own_database' } });
});
