import { beforeEach, describe, expect, it } from 'vitest';
import type { SourceState } from '../../../src/domain/found-source.js';
import { noProgress } from '../../../src/domain/job.js';
import { DriverError } from '../../../src/errors.js';
import type { BackupDriver, CreateArchiveInput } from '../../../src/ports/backup-driver.js';
import type { FileSystem } from '../../../src/ports/filesystem.js';
import { makeEventBus } from '../../../src/runtime/event-bus.js';
import { JobAborted } from '../../../src/runtime/job-aborted.js';
import type { JobContext } from '../../../src/runtime/job-contract.js';
import { events, type JobRow, jobs, type RepositoryRow, repositories } from '../../../src/schema/tables.js';
import { backupHandler } from '../../../src/usecases/backups/backup-handler.js';
import type { CoreSettings, Dependencies } from '../../../src/usecases/dependencies.js';
import { memoryStorage } from '../../fakes/memory-storage.js';
import { silentLog } from '../../fakes/silent-log.js';

const stats = { originalSize: 100, compressedSize: 60, deduplicatedSize: 30, files: 3 };
const start = Date.UTC(2026, 2, 1, 2, 0, 5);
const comment = 'holdfast:1:inst:-:1';
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

const run = () => backupHandler(scene.dependencies).run(scene.context);

describe('a backup', () => {
  it('makes one archive that carries who made it', async () => {
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

  it('takes another name when someone else took it in the repository', async () => {
    scene.taken.add('manual-backup-2026-03-01T02:00:05');
    await run();
    expect(scene.made.map(({ name }) => name)).toEqual(['manual-backup-2026-03-01T02:00:05-1']);
  });

  it('is never made of nothing from sources that have files', async () => {
    scene.files = 0;
    expect(await run()).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^Nothing was saved/),
    });
    expect(scene.deleted).toEqual(['manual-backup-2026-03-01T02:00:05']);
  });

  it('may be empty when the sources are', async () => {
    scene.files = 0;
    scene.sourcesHaveFiles = false;
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(scene.deleted).toEqual([]);
  });

  it('does not run the tool when no source is there', async () => {
    scene.sourceState = 'missing';
    await expect(run()).rejects.toThrow('None of the source directories is there: /home.');
    expect(scene.made).toEqual([]);
  });

  it('that belongs to another run by now tells of no start, and makes nothing', async () => {
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
      error: "1. 2. 3. 4. 5. And 2 more: see the job's log.",
    });
  });

  it('removes what an interrupted backup left, and nothing that only looks like it', async () => {
    const { storage } = scene.dependencies;
    const { id: _, ...row } = scene.context.job;
    await storage.insert(jobs, { ...row, status: 'failed', started_at: start - 3_600_000 });
    scene.context.job = await storage.insert(jobs, row);
    scene.listed = ['manual-backup-2026-03-01T01:00:05.checkpoint', 'other.checkpoint', 'web'].map(summary);
    await run();
    expect(scene.deleted).toEqual(['manual-backup-2026-03-01T01:00:05.checkpoint']);
  });
});

describe('a backup whose server vanished', () => {
  const recover = () => backupHandler(scene.dependencies).recover(scene.context);

  it('is made when its archive is in the repository; what the tool said is lost', async () => {
    scene.listed = [{ ...summary('a'), comment: 'holdfast:1:inst:-:99' }, summary('b')];
    expect(await recover()).toMatchObject({
      status: 'completed_with_warnings',
      error: expect.stringContaining('before it had stored what the tool said'),
      outcome: { archive: { name: 'b' }, stats },
    });
  });

  it.each([
    ['well', {}],
    ['with warnings', { warnings: ['/home/a: Permission denied.'], sourceState: 'symlink' as const }],
    ['badly', { files: 0 }],
  ])('ends %s as it would have, once what the tool said was stored', async (_how, values) => {
    Object.assign(scene, values);
    const undisturbed = await run();
    const [job] = await scene.dependencies.storage.find(jobs, { where: { id: scene.context.job.id } });
    const name = scene.made[0]?.name ?? '';
    scene.listed = scene.deleted.includes(name) ? [] : [summary(name)];
    Object.assign(scene, { warnings: [], sourceState: 'present', files: 3 });
    scene.context.job = job as JobRow;
    expect(await recover()).toEqual(undisturbed);
  });

  it('is failed when no archive of it is there, also when another installation has one of that number', async () => {
    scene.listed = [{ ...summary('a'), comment: 'holdfast:1:elsewhere:-:1' }];
    expect(await recover()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Interrupted'),
    });
  });
});

describe('the end of a backup', () => {
  const settle = (status: 'completed' | 'completed_with_warnings' | 'failed' | 'cancelled') =>
    backupHandler(scene.dependencies)
      .settle(scene.context.job, { status, error: 'why', outcome: null }, scene.context.repository)
      .events?.map(({ kind }) => kind);

  it('is one event', () => {
    expect(settle('completed')).toEqual(['backup_success', 'archives_changed']);
    expect(settle('completed_with_warnings')).toEqual(['backup_warning', 'archives_changed']);
    expect(settle('failed')).toEqual(['backup_failure']);
    expect(settle('cancelled')).toEqual(['backup_failure']);
  });
});
