import { expect, it } from 'vitest';
import { earlierArchives } from '../../src/backup/backups/backup-result.js';
import { archives } from '../../src/backup/repositories/tables.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const row = { repository_id: 1, hostname: 'h', username: 'u', comment: '', seen_at: 0, start: 0 };

it('compares with the last complete archive of the same sources, or an accepted one', async () => {
  const storage = memoryStorage();
  const made = async (name: string, more: object) => {
    await storage.insert(archives, { ...row, tool_id: name, name, files: 5 });
    const stats = { originalSize: 9, compressedSize: 9, deduplicatedSize: 9, files: 5 };
    const outcome = { archive: { id: name, name }, stats, sources: ['/home'], lacking: [], ...more };
    return storage.insert(jobs, {
      kind: 'backup',
      status: 'completed',
      repository_id: 1,
      repository_path: '/r',
      repository_name: 'r',
      requested_by: 'a',
      requested_at: 0,
      parameters: {},
      progress: noProgress,
      outcome,
    });
  };
  await made('full', {});
  const { id, outcome } = await made('small', { collapsed: true });
  const report = {
    archive: { id: 'new' },
    sources: [{ path: '/home', state: 'present' }],
    sourceConnectionId: null,
  };
  const whole = async (more = {}) => {
    const run = { job: { id: 99 }, repository: { id: 1 } } as never;
    return (await earlierArchives({ storage }, run, { ...report, ...more } as never)).whole;
  };
  expect(await whole()).toMatchObject({ name: 'full' });
  await storage.update(jobs, { id }, { outcome: { ...outcome, accepted: true } });
  expect(await whole()).toMatchObject({ name: 'small' });

  const prepared = [{ kind: 'sqlite', name: 'shop' }];
  expect(await whole({ prepared })).toBeNull();
  await made('with a database', { prepared });
  expect([await whole({ prepared }), await whole()]).toMatchObject([
    { name: 'with a database' },
    { name: 'small' },
  ]);
});
