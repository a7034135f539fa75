import type { StorageBackend } from '@holdfast/plugin-api';
import { beforeEach, describe, expect, it } from 'vitest';
import { baseNameOf, chooseArchiveName, nameZoneOf } from '../../src/backup/backups/backup-job.js';
import { isCheckpointOf } from '../../src/backup/repositories/archive-name.rules.js';
import { archives } from '../../src/backup/repositories/tables.js';
import type { ScheduleFacts } from '../../src/backup/schedules/calendar/schedule.rules.js';
import { scheduleRepositories, schedules } from '../../src/backup/schedules/tables.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const started = Date.UTC(2026, 2, 1, 2, 0, 5);
let storage: StorageBackend;
beforeEach(() => {
  storage = memoryStorage();
});

const job = (schedule?: Partial<ScheduleFacts>, more: Partial<JobRow> = {}): Promise<JobRow> => {
  const facts = {
    name: 'web',
    timezone: 'Europe/Berlin',
    archiveNameTemplate: null,
    severalRepositories: false,
  };
  return storage.insert(jobs, {
    kind: 'backup',
    status: 'running',
    repository_id: 1,
    repository_path: '/p',
    repository_name: 'home',
    requested_by: 'web',
    requested_at: started - 9_000,
    started_at: started,
    progress: noProgress,
    parameters: schedule ? { schedule: { ...facts, ...schedule } } : {},
    ...more,
  });
};

const take = (name: string) =>
  storage.insert(archives, {
    repository_id: 1,
    tool_id: name,
    name,
    start: 0,
    end: null,
    hostname: 'h',
    username: 'u',
    comment: '',
    seen_at: 0,
  });

describe('the name of a manual archive', () => {
  it('has the clock of the schedules of the repository', async () => {
    expect(await nameZoneOf(storage, 1)).toBe('UTC');
    for (const [name, timezone, enabled] of [
      ['off', 'Asia/Tokyo', false],
      ['nightly', 'Europe/Berlin', true],
    ] as const) {
      const plan = { name, cron_expression: '0 2 * * *', timezone, catch_up: 'one', enabled } as const;
      const { id } = await storage.insert(schedules, { ...plan, created_at: 0, updated_at: 0 });
      await storage.insert(scheduleRepositories, { schedule_id: id, repository_id: 1, position: 0 });
    }
    const timeZone = await nameZoneOf(storage, 1);
    expect(timeZone).toBe('Europe/Berlin');
    const byHand = await job(undefined, { parameters: { timeZone } });
    expect(baseNameOf(byHand)).toBe('manual-backup-2026-03-01T03:00:05');
  });
});

describe('the name of a scheduled archive', () => {
  it('has the schedule, its zone and start, and the repository if there are several', async () => {
    expect(baseNameOf(await job({}))).toBe('web-2026-03-01T03:00:05');
    expect(baseNameOf(await job({ severalRepositories: true }))).toBe('web-home-2026-03-01T03:00:05');
    expect(baseNameOf(await job({ archiveNameTemplate: '{repo_name} at {time}' }))).toBe('home-at-03:00:05');
    expect(baseNameOf(await job())).toBe('manual-backup-2026-03-01T02:00:05');
  });

  it('gets an ending when a template without a time gives it twice', async () => {
    const same = await job({ archiveNameTemplate: '{job_name}' });
    const names = [];
    for (let count = 0; count < 3; count++) {
      const name = await chooseArchiveName(storage, same, 1);
      names.push(name);
      await take(name);
    }
    expect(names).toEqual(['web', 'web-2', 'web-3']);
  });
});

describe('an archive left by an interrupted backup', () => {
  it.each(['web.checkpoint', 'web.checkpoint.1', 'web-2.checkpoint', 'web-2-17.checkpoint.3'])(
    'is %s',
    (name) => {
      expect(isCheckpointOf('web', name)).toBe(true);
    },
  );

  it.each(['web', 'web-2', 'web-db.checkpoint', 'web2.checkpoint', 'a-web.checkpoint', 'web.checkpoint.x'])(
    'is not %s',
    (name) => {
      expect(isCheckpointOf('web', name)).toBe(false);
    },
  );
});
