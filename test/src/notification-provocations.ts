import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { archived, archivesOf, backUp, endedJob, type Repository, startBackup } from './actions.js';
import { endedMaintenance } from './maintenance.js';
import { MemoryRepository } from './memory-repository.js';
import type { NotificationWorld } from './notification-world.js';
import { endedRestore } from './restore.js';

/** One kind of event: how it is made to happen, for real, and what is told of it. */
export interface Provocation {
  event: string;
  how: string;
  provoke(world: NotificationWorld): Promise<unknown>;
  title: string;
  type: 'info' | 'success' | 'warning' | 'failure';
  /** What the body says, in this order. */
  body: RegExp;
  /** Facts for programs. */
  data: Record<string, unknown>;
}

const anyText = expect.stringMatching(/./);
const seconds = expect.any(Number);
const path = expect.stringMatching(/^\/.*\/repository-\d+$/);
const place = { repository_name: expect.stringMatching(/^home \d+$/), repository_path: path };

const backups: Provocation[] = [
  {
    event: 'backup_start',
    how: 'a backup',
    title: '[home] 🚀 Backup started',
    type: 'info',
    provoke: async (world) => backUp(world.api, (await world.shared()).path),
    body: /Archive: .*\nRepository: home \d+\nLocation: \/.*\nSources:\n• \/.*\n[\s\S]*Started at .* UTC/,
    data: { ...place, archive_name: anyText, source_directories: [anyText] },
  },
  {
    event: 'backup_success',
    how: 'a backup',
    title: '[home] ✅ Backup successful',
    type: 'success',
    provoke: async (world) => backUp(world.api, (await world.shared()).path),
    body: /Repository: home \d+\n[\s\S]*Original size: .*\n[\s\S]*Deduplicated: .*\nDuration: \d+s\n\nCompleted at .* UTC/,
    data: { ...place, archive_name: anyText, duration_seconds: seconds, stats: expect.any(Object) },
  },
  {
    event: 'backup_warning',
    how: 'a source that is missing',
    type: 'warning',
    title: '[home] ⚠️ Backup completed with warnings',
    provoke: async (world) => {
      const half = world.server.workspace.folder('half');
      writeFileSync(join(half, 'a file'), 'a file');
      const { path } = await world.repository({ source_directories: [half, '/no/such/folder'] });
      return backUp(world.api, path);
    },
    body: /Repository: home \d+\n[\s\S]*Warning: .*\/no\/such\/folder[\s\S]*What to do next: .*\n\nCompleted at/,
    data: { ...place, archive_name: anyText, warning_message: expect.stringContaining('/no/such/folder') },
  },
  {
    event: 'backup_failure',
    how: 'a repository that is gone',
    type: 'failure',
    title: '[home] ❌ Backup failed',
    provoke: async (world) => {
      const { path } = await world.repository();
      rmSync(path, { recursive: true });
      return backUp(world.api, path);
    },
    body: /Repository: home \d+\nLocation: \/.*\nJob ID: \d+\n\nError: .+\n\nWhat to do next: .*\n\nFailed at/,
    data: { ...place, job_id: expect.any(Number), error_message: anyText },
  },
  {
    event: 'backup_failure',
    how: 'a cancellation',
    title: '[home] ❌ Backup failed',
    type: 'failure',
    provoke: async ({ api, repository }) => {
      const { path } = await repository();
      const tool = new MemoryRepository(path);
      tool.hold();
      const job = await startBackup(api, path);
      await tool.reached();
      expect((await api.post(`/api/backup/cancel/${job}`)).status).toBe(200);
      return endedJob(api, job);
    },
    body: /Job ID: \d+\n\nError: .*cancel[\s\S]*No archive was created/i,
    data: { ...place, error_message: expect.stringMatching(/cancel/i) },
  },
  {
    event: 'schedule_failure',
    how: 'a schedule whose repository is gone',
    type: 'failure',
    title: '[home] nightly: ❌ Scheduled backup failed',
    provoke: async ({ api, repository }) => {
      const { id } = await repository();
      const cron_expression = '0 0 1 1 *';
      const made = await api.post('/api/schedule/', { name: 'nightly', cron_expression, repository_id: id });
      expect(made.status).toBe(201);
      expect((await api.delete(`/api/repositories/${id}`)).status).toBe(200);
    },
    body: /Schedule: nightly\n[\s\S]*Error: .+\n\nWhat to do next: .*\n\nFailed at/,
    data: { schedule_name: 'nightly', error_message: anyText },
  },
];

/** The shared repository with an archive of it that a restore or a check can use. */
async function backedUp({ shared, api }: NotificationWorld): Promise<Repository & { archive: string }> {
  const repository = await shared();
  const archives = await archivesOf(api, repository.path);
  const archive = archives.at(-1)?.name ?? (await backUp(api, repository.path)).archive_name ?? '';
  return { ...repository, archive };
}

const restores: Provocation[] = [
  {
    event: 'restore_success',
    how: 'a restore',
    title: '[home] ✅ Restore successful',
    type: 'success',
    provoke: async (world) => {
      const { id: repository_id, archive } = await backedUp(world);
      const destination = world.server.workspace.folder('restored');
      const order = { repository_id, archive, destination };
      const job = await endedRestore(world.api, await world.api.post('/api/restore/start', order));
      expect(job.status).toBe('completed');
    },
    body: /Archive: .+\nRepository: home \d+\nLocation: \/.*\nDestination: \/.*\/restored\nDuration: \d+s\n\nCompleted at/,
    data: { ...place, archive_name: anyText, target_path: anyText, duration_seconds: seconds },
  },
  {
    event: 'restore_failure',
    how: 'a file in the way',
    title: '[home] ❌ Restore failed',
    type: 'failure',
    provoke: async (world) => {
      const { id: repository_id, archive } = await backedUp(world);
      const destination = world.server.workspace.folder('occupied');
      const [first = ''] = archived(world.server.workspace.path).split('/');
      writeFileSync(join(destination, first), 'in the way');
      const order = { repository_id, archive, destination };
      const job = await endedRestore(world.api, await world.api.post('/api/restore/start', order));
      expect(job.status).toBe('failed');
    },
    body: /Archive: .+\nRepository: home \d+\nLocation: \/.*\nDestination: \/.*\/occupied\nJob ID: \d+\n\nError: .+\n\nWhat to do next: .*\n\nFailed at/,
    data: { ...place, archive_name: anyText, target_path: anyText, error_message: anyText },
  },
];

const checks: Provocation[] = [
  {
    event: 'check_success',
    how: 'a check',
    type: 'success',
    title: '[home] ✅ Repository check completed',
    provoke: async (world) => {
      const { id } = await backedUp(world);
      const started = await world.api.post(`/api/repositories/${id}/check`);
      expect((await endedMaintenance(world.api, 'check', started)).status).toBe('completed');
    },
    body: /^Repository: home \d+\nPath: \/.*\nType: Manual\nDuration: \d+s\n\nCompleted at/,
    data: { ...place, check_type: 'manual', status: 'completed', duration_seconds: seconds },
  },
  {
    event: 'check_failure',
    how: 'damage',
    type: 'failure',
    title: '[home] ❌ Repository check failed',
    provoke: async (world) => {
      const { id, path } = await backedUp(world);
      const heal = new MemoryRepository(path).damage();
      const started = await world.api.post(`/api/repositories/${id}/check`);
      const job = await endedMaintenance(world.api, 'check', started);
      expect(job).toMatchObject({ status: 'failed', problems_found: true });
      heal();
    },
    body: /^Repository: home \d+\nPath: \/.*\nType: Manual\nDuration: \d+s\n\nError: Problems were found.+\n\nWhat to do next: .*\n\nCompleted at/,
    data: {
      ...place,
      check_type: 'manual',
      status: 'failed',
      duration_seconds: seconds,
      error_message: expect.stringMatching(/^Problems were found/),
    },
  },
  {
    event: 'check_success',
    how: 'a planned check',
    type: 'success',
    title: '[home] ✅ Repository check completed',
    provoke: async ({ api, database, shared }) => {
      const { id } = await shared();
      await api.put(`/api/repositories/${id}/check-schedule`, { cron_expression: '0 4 * * *' });
      await database.all('UPDATE check_schedule SET next_run = ?', Date.now());
    },
    body: /\nType: Scheduled\nDuration: \d+s\n\nCompleted at/,
    data: { ...place, check_type: 'scheduled', status: 'completed', partial: true },
  },
];

/** Each kind of the document. */
export const provocations: Provocation[] = [...backups, ...restores, ...checks];
