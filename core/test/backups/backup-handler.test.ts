import {
  type BackupDriver,
  type CreateArchiveInput,
  DriverError,
  type SourceState,
} from '@holdfast/plugin-api/driver';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CoreSettings, Dependencies } from '../../src/app/app.js';
import { backupHandler } from '../../src/backup/backups/backup-handler.js';
import { runBackup } from '../../src/backup/backups/run-backup.js';
import { type RepositoryRow, repositories } from '../../src/backup/repositories/tables.js';
import { schedules } from '../../src/backup/schedules/tables.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { JobAborted } from '../../src/engine/jobs/job-aborted.js';
import type { JobContext } from '../../src/engine/jobs/job-contract.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { makeEventBus } from '../../src/foundation/events/event-bus.js';
import { events } from '../../src/foundation/events/tables.js';
import { noIndexes } from '../../src/foundation/ports/archive-index.js';
import type { FileSystem } from '../../src/foundation/ports/filesystem.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { said } from '../fakes/said.js';
import { silentLog } from '../fakes/silent-log.js';

const stats = { originalSize: 100, compressedSize: 60, deduplicatedSize: 30, files: 3 };
const start = Date.UTC(2026, 2, 1, 2, 0, 5);
const uid = '0123456789abcdef';
const comment = `holdfast:2:inst:-:${uid}`;
const summary = (name: string) => ({
  id: name.padEnd(64, '0'),
  name,
  start,
  end: start + 1000,
  comment,
  hostname: 'host',
  username: 'someone',
});

interface Scene {
  dependencies: Dependencies;
  context: JobContext;
  made: CreateArchiveInput[];
  deleted: string[];
  lines: string[];
  listed: ReturnType<typeof summary>[];
  sourceState: SourceState;
  sourcesHaveFiles: boolean;
  files: number;
  warnings: string[];
  taken: Set<string>;
}

let scene: Scene;

beforeEach(async () => {
  const storage = memoryStorage();
  scene = {
    made: [],
    deleted: [],
    lines: [],
    listed: [],
    sourceState: 'present',
    sourcesHaveFiles: true,
    files: 3,
    warnings: [],
    taken: new Set<string>(),
  } as Partial<Scene> as Scene;
  const driver = {
    createArchive: async (_target, input) => {
      if (scene.taken.has(input.name)) throw new DriverError('archive_exists', 'taken');
      scene.made.push(input);
      const value = {
        archive: summary(input.name),
        stats: { ...stats, files: scene.files },
        repositoryStoredSize: 30,
      };
      return { value, warnings: scene.warnings };
    },
    listArchives: async () => ({ value: scene.listed, warnings: [] }),
    archiveInfo: async (_target, { archive }) => ({
      value: {
        ...summary(archive),
        duration: 1,
        stats,
        commandLine: [],
        chunkerParams: [],
        maxArchiveSizeUsed: null,
      },
      warnings: [],
    }),
    deleteArchives: async (_target, { archives }) => {
      scene.deleted.push(...archives);
      return { value: { deleted: archives, missing: [] }, warnings: [] };
    },
  } satisfies Partial<BackupDriver> as Partial<BackupDriver> as BackupDriver;
  const log = silentLog();
  scene.dependencies = {
    storage,
    driver,
    indexes: noIndexes,
    log,
    clock: { now: () => start + 5000 },
    files: {
      lookAt: async (path) => ({ path, state: scene.sourceState }),
      hasFile: async () => scene.sourcesHaveFiles,
      measure: async () => 100,
    } as Partial<FileSystem> as FileSystem,
    secrets: {
      seal: (_purpose: string, plain: string) => plain,
      open: (_purpose: string, sealed: string) => sealed,
    },
    redactor: { protect: () => ({ release: () => undefined }), redact: (text: string) => text },
    events: makeEventBus({ clock: { now: () => start }, log }),
    settings: { installation: 'inst' } as Partial<CoreSettings> as CoreSettings,
  } as Partial<Dependencies> as Dependencies;
  scene.context = await contextFor(storage);
});

async function contextFor(storage: Dependencies['storage']): Promise<JobContext> {
  const repository: RepositoryRow = await storage.insert(repositories, {
    uid: 'u',
    tool_id: 't',
    name: 'home',
    path: '/backups/home',
    encryption: 'none',
    compression: 'lz4',
    source_directories: ['/home'],
    exclude_patterns: ['*.tmp'],
    mode: 'full',
    custom_flags: '--one-file-system',
    created_at: start,
    updated_at: start,
  });
  const job: JobRow = await storage.insert(jobs, {
    uid,
    kind: 'backup',
    status: 'running',
    repository_id: repository.id,
    repository_path: repository.path,
    repository_name: repository.name,
    requested_by: 'admin',
    requested_at: start,
    started_at: start,
    parameters: {},
    progress: noProgress,
  });
  return {
    job,
    repository,
    signal: new AbortController().signal,
    lost: new AbortController().signal,
    progress: () => undefined,
    log: ({ text }) => scene.lines.push(text),
    toolOptions: () => ({}),
  };
}

const run = () => backupHandler(scene.dependencies, []).run(scene.context);

describe('a backup', () => {
  it('creates one archive whose comment names its job', async () => {
    const result = await run();
    expect(result).toMatchObject({ status: 'completed', error: null, outcome: { stats } });
    expect(scene.made).toEqual([
      {
        name: 'manual-backup-2026-03-01T02:00:05',
        comment,
        sources: ['/home'],
        excludePatterns: ['*.tmp'],
        compression: 'lz4',
        customFlags: ['--one-file-system'],
      },
    ]);
  });

  it('picks another name if the repository already has it', async () => {
    scene.taken.add('manual-backup-2026-03-01T02:00:05');
    await run();
    expect(scene.made.map(({ name }) => name)).toEqual(['manual-backup-2026-03-01T02:00:05-1']);
  });

  it('is never made of nothing from sources that have files', async () => {
    scene.files = 0;
    expect(await run()).toMatchObject({
      status: 'failed',
      error: { text: expect.stringMatching(/^Nothing was backed up/) },
    });
    expect(scene.deleted).toEqual(['manual-backup-2026-03-01T02:00:05']);
  });

  it('may be empty when the sources are', async () => {
    scene.files = 0;
    scene.sourcesHaveFiles = false;
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(scene.deleted).toEqual([]);
  });

  it('does not start the tool when no source exists', async () => {
    scene.sourceState = 'missing';
    expect(await run()).toMatchObject({
      status: 'failed',
      error: { text: expect.stringContaining('None of the source directories exists: /home.') },
      outcome: { lacking: ['/home'] },
    });
    expect(scene.made).toEqual([]);
  });

  it('reports no start and creates nothing after another run took the job', async () => {
    const { storage } = scene.dependencies;
    await storage.update(jobs, { id: scene.context.job.id }, { fence: 9 });
    await expect(run()).rejects.toThrow(new JobAborted('lost'));
    expect(await storage.find(events)).toEqual([]);
    expect(scene.made).toEqual([]);
  });

  it('names at most five warnings and counts the others', async () => {
    scene.warnings = ['1.', '2.', '3.', '4.', '5.', '6.', '7.'];
    expect(await run()).toMatchObject({
      status: 'completed_with_warnings',
      error: { text: "1. 2. 3. 4. 5. And 2 more: see the job's log." },
    });
  });

  it('names the schedule by random id, and jobs of an earlier release by number', async () => {
    const { storage } = scene.dependencies;
    const { id } = await storage.insert(schedules, {
      uid: '77ff',
      name: 'web',
      cron_expression: '0 3 * * *',
      timezone: 'UTC',
      catch_up: 'one',
      created_at: start,
      updated_at: start,
    });
    scene.context.job = { ...scene.context.job, schedule_id: id };
    await run();
    scene.context.job = { ...scene.context.job, uid: null };
    await run();
    expect(scene.made.map((made) => made.comment)).toEqual([
      `holdfast:2:inst:77ff:${uid}`,
      `holdfast:1:inst:${id}:${scene.context.job.id}`,
    ]);
  });
});

describe('unfinished archives of interrupted backups', () => {
  const left = 'manual-backup-2026-03-01T01:00:05.checkpoint';
  const handler = () => backupHandler(scene.dependencies, []);
  const stored = async () => (await scene.dependencies.storage.find(repositories))[0] as RepositoryRow;
  const next = async (way: 'run' | 'recover' = 'run') => {
    scene.context.repository = await stored();
    await handler()[way](scene.context);
  };

  beforeEach(async () => {
    const { storage } = scene.dependencies;
    const { id: _, uid: __, ...row } = scene.context.job;
    await storage.update(repositories, {}, { sweep_due: false });
    const job = await storage.insert(jobs, { ...row, status: 'failed', started_at: start - 3_600_000 });
    const end = { status: 'failed', error: said('Interrupted'), outcome: null } as const;
    await handler()
      .settle(job, end, await stored())
      .commit?.(storage, async () => {});
    scene.listed = [left, 'other.checkpoint', 'web'].map(summary);
  });

  it('are removed, and similar names are only counted', async () => {
    await next();
    expect(scene.deleted).toEqual([left]);
    expect(await stored()).toMatchObject({ sweep_due: false, unfinished_archives: 1 });
  });

  it('are removed by a recovered backup too', async () => {
    await next('recover');
    expect(scene.deleted).toEqual([left]);
  });

  it('stay due for removal until it succeeds', async () => {
    const { driver } = scene.dependencies;
    const { listArchives } = driver;
    driver.listArchives = async () => Promise.reject(new DriverError('failed', 'disk full'));
    await next();
    expect(scene.lines.at(-1)).toMatch(/Could not remove unfinished archives/);
    driver.listArchives = listArchives;
    await next();
    expect(scene.deleted).toEqual([left]);
  });

  it('are not listed again after their removal', async () => {
    await next();
    let asked = 0;
    const { listArchives } = scene.dependencies.driver;
    scene.dependencies.driver.listArchives = (...question) => {
      asked += 1;
      return listArchives(...question);
    };
    await next();
    expect(asked).toBe(0);
  });
});

describe('a backup whose tool was cut off', () => {
  const stop = new AbortController();
  const cutOff = (error: Error, left: (name: string) => string[]) => {
    scene.dependencies.driver.createArchive = async (_target, { name }) => {
      scene.listed = left(name).map(summary);
      throw error;
    };
  };

  it.each([
    ['killed', new DriverError('failed', 'Borg was killed from outside (SIGKILL).')],
    ['without space for its cache', new DriverError('no_space', 'The disk is full.')],
    ['by a lost connection', new DriverError('connection', 'The connection broke.')],
    ['by a wish to cancel', new DriverError('cancelled', 'Stopped.')],
    ['by the end of the service', new JobAborted('shutdown')],
  ])('%s, is made when its archive is in the repository', async (_how, error) => {
    cutOff(error, (name) => [name]);
    scene.context.toolOptions = () => ({ signal: stop.signal });
    stop.abort();
    expect(await run()).toMatchObject({ status: 'completed_with_warnings', outcome: { stats } });
  });

  it('ends as stored when it is cancelled after its result was recorded', async () => {
    const { driver, storage } = scene.dependencies;
    scene.context.signal = AbortSignal.abort();
    await storage.update(repositories, {}, { sweep_due: true });
    scene.context.repository = (await storage.find(repositories))[0] as RepositoryRow;
    const { listArchives } = driver;
    driver.listArchives = () => {
      driver.listArchives = listArchives;
      scene.listed = scene.made.map(({ name }) => summary(name));
      return Promise.reject(new DriverError('cancelled', 'Stopped.'));
    };
    expect(await run()).toMatchObject({ status: 'completed', error: null });
  });

  it('fails with the error of the tool when its archive is missing or unfinished', async () => {
    const error = new DriverError('failed', 'Borg was killed from outside (SIGKILL).');
    cutOff(error, (name) => [`${name}.checkpoint`]);
    await expect(run()).rejects.toBe(error);
  });

  it('fails with the error of the tool when the repository no longer answers', async () => {
    const error = new DriverError('connection', 'The connection broke.');
    cutOff(error, () => []);
    scene.dependencies.driver.listArchives = () =>
      Promise.reject(new DriverError('connection', 'Unreachable.'));
    await expect(run()).rejects.toBe(error);
  });

  it('does not ask the repository after it lost the job', async () => {
    const error = new JobAborted('lost');
    cutOff(error, (name) => [name]);
    scene.context.lost = AbortSignal.abort(error);
    await expect(run()).rejects.toBe(error);
  });
});

describe('a backup whose server vanished', () => {
  const recover = () => backupHandler(scene.dependencies, []).recover(scene.context);

  it('is completed even if the clock was changed', async () => {
    scene.listed = [{ ...summary('a'), start: start - 86_400_000 }];
    expect(await recover()).toMatchObject({ status: 'completed_with_warnings' });
  });

  it('is completed with a warning when its archive exists and no result was stored', async () => {
    scene.listed = [{ ...summary('a'), comment: 'holdfast:2:inst:-:99' }, summary('b')];
    expect(await recover()).toMatchObject({
      status: 'completed_with_warnings',
      error: { text: expect.stringContaining("before Borg's warnings were stored") },
      outcome: { archive: { name: 'b' }, stats },
    });
  });

  it.each([
    ['well', {}],
    ['with warnings', { warnings: ['/home/a: Permission denied.'], sourceState: 'symlink' as const }],
    ['badly', { files: 0 }],
  ])('ends %s like an undisturbed run after its result was recorded', async (_how, values) => {
    Object.assign(scene, values);
    const undisturbed = await run();
    const [job] = await scene.dependencies.storage.find(jobs, { where: { id: scene.context.job.id } });
    const name = scene.made[0]?.name ?? '';
    scene.listed = scene.deleted.includes(name) ? [] : [summary(name)];
    Object.assign(scene, { warnings: [], sourceState: 'present', files: 3 });
    scene.context.job = job as JobRow;
    expect(await recover()).toEqual(undisturbed);
  });

  it.each([
    ['no archive is there', []],
    ['another installation has one of that job', [{ comment: `holdfast:2:elsewhere:-:${uid}` }]],
    ['a lost job of its number made one', [{ comment: 'holdfast:1:inst:-:1' }]],
    ['another job made one', [{ comment: 'holdfast:2:inst:-:1' }]],
    ['the one that names it began before it', [{ start: start - 8 * 86_400_000 }]],
    ['it is not finished', [{ name: 'a.checkpoint' }]],
  ])('is failed when %s', async (_, listed) => {
    scene.listed = listed.map((values) => ({ ...summary('a'), ...values }));
    expect(await recover()).toMatchObject({
      status: 'failed',
      error: { text: expect.stringContaining('Interrupted') },
    });
  });
});

describe('a backup of an earlier release whose server vanished', () => {
  const recover = () => backupHandler(scene.dependencies, []).recover(scene.context);

  it.each([
    ['completed_with_warnings', 0],
    ['failed', 5_000],
  ])('is %s when the archive of its number began %s ms before it', async (status, before) => {
    scene.context.job = { ...scene.context.job, uid: null };
    scene.listed = [{ ...summary('a'), comment: 'holdfast:1:inst:-:1', start: start - before }];
    expect(await recover()).toMatchObject({ status });
  });

  it('may be of a host with another clock', async () => {
    const { job, repository } = scene.context;
    scene.context.job = { ...job, uid: null };
    scene.context.repository = { ...repository, source_connection_id: 3 };
    const made = { ...summary('a'), comment: 'holdfast:1:inst:-:1' };
    scene.listed = [{ ...made, start: start - 300_000 }];
    expect(await recover()).toMatchObject({ status: 'completed_with_warnings' });
    scene.listed = [{ ...made, start: start - 900_000 }];
    expect(await recover()).toMatchObject({ status: 'failed' });
  });
});

describe('the end of a backup', () => {
  const settle = (status: 'completed' | 'completed_with_warnings' | 'failed' | 'cancelled') =>
    backupHandler(scene.dependencies, [])
      .settle(scene.context.job, { status, error: said('why'), outcome: null }, scene.context.repository)
      .events?.map(({ kind }) => kind);

  it('is one event', () => {
    expect(settle('completed')).toEqual(['backup_success', 'archives_changed']);
    expect(settle('completed_with_warnings')).toEqual(['backup_warning', 'archives_changed']);
    expect(settle('failed')).toEqual(['backup_failure']);
    expect(settle('cancelled')).toEqual(['backup_failure']);
  });
});

describe('a tool that does not know dumps', () => {
  const part = { uid: 'u', paths: [], excludes: [], overlays: [] };
  const stream = { path: 'holdfast-sources/sqlite/shop/shop.db', open: async () => [] as never };
  const prepared = {
    parts: [{ ...part, streams: [stream] }],
    journal: { states: () => [], write: async () => {} },
    releaseEarly: async () => {},
    end: () => {},
    verify: async () => {},
  };

  it('fails instead of leaving dumps out', async () => {
    const { status, error } = await runBackup(scene.dependencies, scene.context, prepared);
    expect([status, error?.code]).toEqual(['failed', 'tool_without_dumps']);
    expect(scene.made).toEqual([]);
  });

  it('backs up sources without dumps', async () => {
    const parts = [{ ...part, streams: [] }];
    const { status } = await runBackup(scene.dependencies, scene.context, { ...prepared, parts });
    expect([status, scene.made.length]).toEqual(['completed', 1]);
  });
});
