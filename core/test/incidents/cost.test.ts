import type { StorageBackend } from '@holdfast/plugin-api';
import { expect, it } from 'vitest';
import { retentionPauses } from '../../src/backup/maintenance/tables.js';
import { archives } from '../../src/backup/repositories/tables.js';
import { scheduleRepositories, schedules } from '../../src/backup/schedules/tables.js';
import { sshConnections } from '../../src/backup/ssh/tables.js';
import { judge } from '../../src/insight/incidents/compare.rules.js';
import { causes } from '../../src/insight/incidents/incident.rules.js';
import { readIncidentFacts } from '../../src/insight/incidents/incident-facts.js';
import { incidents } from '../../src/insight/incidents/tables.js';
import { getOverview } from '../../src/insight/overview/overview.js';
import { incidentWorld } from './world.js';

/** Counts how often a column of a row is read. */
function countingReads(storage: StorageBackend) {
  const count = { rows: 0, reads: 0 };
  const counted = <T extends object>(row: T): T => {
    count.rows += 1;
    const get = (target: T, name: string | symbol) => {
      count.reads += 1;
      return Reflect.get(target, name);
    };
    return new Proxy(row, { get });
  };
  const reading: StorageBackend = Object.create(storage, {
    find: {
      value: async (...question: Parameters<StorageBackend['find']>) =>
        (await storage.find(...question)).map(counted),
    },
    aggregate: {
      value: async (...question: Parameters<StorageBackend['aggregate']>) =>
        (await storage.aggregate(...question)).map(counted),
    },
  });
  return { count, reading };
}

async function readsPerRow(repositories: number) {
  const world = incidentWorld();
  const { storage, clock } = world;
  const times = { created_at: 0, updated_at: 0 };
  for (let n = 1; n <= repositories; n++) {
    const host = await storage.insert(sshConnections, {
      ...{ host: `h${n}`, port: 22, username: 'u', status: 'host_key_changed', ...times },
      storage: { available: 1, total: 9, used: 8, percentUsed: 89, checkedAt: 0 },
    });
    const row = await world.repository(`r${n}`);
    await world.set(row.id, { connection_id: host.id });
    await world.archive(row, clock.now() - n * 3_600_000);
    await storage.insert(archives, {
      ...{ repository_id: row.id, tool_id: `d${n}`, name: `d${n}`, start: 1, end: 1, seen_at: 1 },
      ...{ hostname: 'h', username: 'u', comment: '', damaged: true },
    });
    const schedule = await storage.insert(schedules, {
      ...{ name: `s${n}`, cron_expression: '0 2 * * *', timezone: 'UTC', catch_up: 'one', ...times },
      ...{ next_run: clock.now() + 1e9, last_error: 'It failed.' },
    });
    const link = { schedule_id: schedule.id, repository_id: row.id };
    await storage.insert(scheduleRepositories, { ...link, position: 0 });
    await storage.insert(retentionPauses, { ...link, since: 1, reason: 'Fewer files.', job_id: 1 });
  }
  await world.look();
  const { count, reading } = countingReads(storage);
  const facts = await readIncidentFacts({ storage: reading, clock });
  const { found, over } = judge(facts, await reading.find(incidents, { where: { is_open: true } }));
  await getOverview({ ...world, storage: reading })({ timezone: 'UTC' });
  const seen = new Set([...found.values()].map(({ cause }) => cause));
  return { perRow: count.reads / count.rows, seen, over };
}

it('reads each row as often when there are eight times as many', async () => {
  const few = await readsPerRow(10);
  const many = await readsPerRow(80);
  expect([...many.seen].sort()).toEqual(
    expect.arrayContaining([
      'host_key_changed',
      'late',
      'planned_too_far',
      'retention_paused',
      'schedule_failing',
    ]),
  );
  expect(causes).toEqual(expect.arrayContaining([...many.seen]));
  expect(many.perRow / few.perRow).toBeLessThan(1.2);
});
