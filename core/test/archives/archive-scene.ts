import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type {
  ArchiveEntry,
  ArchiveSummary,
  BackupDriver,
  DriverError,
  OperationOptions,
} from '@holdfast/plugin-api/driver';
import type { Dependencies } from '../../src/app/app.js';
import { ArchiveListings } from '../../src/backup/archives/listing/archive-listings.js';
import { archivesUseCases } from '../../src/backup/archives/use-cases.js';
import { type RepositoryRow, repositories } from '../../src/backup/repositories/tables.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import type { NewJob } from '../../src/engine/jobs/job-contract.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { makeEventBus } from '../../src/foundation/events/event-bus.js';
import { conflict } from '../../src/foundation/kernel/errors.js';
import { noIndexes } from '../../src/foundation/ports/archive-index.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { plainRedactor } from '../fakes/plain-redactor.js';
import { said } from '../fakes/said.js';
import { silentLog } from '../fakes/silent-log.js';
import { mapCache, stream } from './listing/listing-world.js';

export const caller = { userId: 1, username: 'alice', isAdmin: true, readOnly: false, tokenId: 1 };

export const summary = (name: string, id = name): ArchiveSummary => ({
  id: Buffer.from(id).toString('hex').padEnd(64, '0').slice(0, 64),
  name,
  start: Date.UTC(2029, 0, 1),
  end: Date.UTC(2029, 0, 1, 0, 1),
  comment: '',
  hostname: 'host',
  username: 'root',
});

/** The use cases on a tool that is told what to say. */
export async function archiveScene() {
  const folder = await mkdtemp(join(tmpdir(), 'archives-'));
  const clock = manualClock();
  const log = silentLog();
  const tool = {
    archives: [summary('first'), summary('second')],
    entries: [] as ArchiveEntry[],
    contents: {} as Record<string, string>,
    /** What each operation but `listArchives` was called with. */
    calls: [] as { what: string; path?: string; options: OperationOptions | undefined }[],
    failure: null as DriverError | null,
    storedSize: 1,
  };
  const lane = { holder: null as string | null, held: 0, waits: 0 };
  const storage = memoryStorage();
  const cache = mapCache();
  const dependencies = {
    storage,
    clock,
    log,
    driver: toolOf(tool),
    cache,
    secrets: { open: (_: string, envelope: string) => envelope },
    redactor: plainRedactor(),
    events: makeEventBus({ clock, log }),
    settings: { dataDirectory: folder },
    indexes: noIndexes,
    listings: new ArchiveListings({ cache, log, lifetime: () => 60, dataDirectory: folder }),
    lanes: {
      withLane: async <T>(_id: number, _what: string, work: () => Promise<T>, waitMs = 20_000) => {
        if (lane.holder) {
          lane.waits++;
          clock.advance(waitMs);
          throw conflict(said(`The repository is in use by ${lane.holder}.`), { retryAfterSeconds: 20 });
        }
        lane.held++;
        return work().finally(() => lane.held--);
      },
    },
    jobs: {
      insert: (job: NewJob, session = storage) => session.insert(jobs, jobRow(job, clock.now())),
      wake: () => undefined,
      waitsFor: async () => lane.holder,
    },
  } as unknown as Dependencies;
  const repository = await storage.insert(repositories, repositoryRow);
  return {
    tool,
    lane,
    clock,
    storage,
    dependencies,
    repository,
    cache,
    useCases: archivesUseCases(dependencies, async () => () => ({ scheduleId: null, keptBy: null })),
    of: { repository: repository.path },
    change: (patch: Partial<RepositoryRow>) => storage.update(repositories, { id: repository.id }, patch),
    end: () => rm(folder, { recursive: true }),
  };
}
export type ArchiveScene = Awaited<ReturnType<typeof archiveScene>>;

export const jobRow = ({ kind, repository, parameters, requestedBy }: NewJob, now: number) => ({
  kind,
  status: 'pending' as JobRow['status'],
  repository_id: repository.id,
  repository_path: repository.path,
  repository_name: repository.name,
  requested_by: requestedBy,
  requested_at: now,
  parameters,
  progress: noProgress,
});

const repositoryRow = {
  uid: 'uid',
  tool_id: 'ab'.repeat(32),
  name: 'home',
  path: '/backups/home',
  encryption: 'none' as const,
  compression: 'lz4',
  source_directories: ['/home'],
  exclude_patterns: [],
  mode: 'full' as const,
  stored_size: 1,
  created_at: 0,
  updated_at: 0,
};

interface Tool {
  archives: ArchiveSummary[];
  entries: ArchiveEntry[];
  contents: Record<string, string>;
  calls: { what: string; path?: string; options: OperationOptions | undefined }[];
  failure: DriverError | null;
  storedSize: number;
}

const stats = { originalSize: 10, compressedSize: 8, deduplicatedSize: 6, files: 5000 };

function toolOf(tool: Tool): BackupDriver {
  const called = (what: string, options?: OperationOptions, path?: string) => {
    tool.calls.push({ what, options, ...(path === undefined ? {} : { path }) });
    if (tool.failure) throw tool.failure;
  };
  const driver: Partial<BackupDriver> = {
    listArchives: async () => ({ value: tool.archives, warnings: [] }),
    async open() {
      if (tool.failure) throw tool.failure;
      const found = { id: 'ab'.repeat(32), encryption: 'none' as const, lastModified: null };
      return { value: { ...found, storedSize: tool.storedSize }, warnings: [] };
    },
    async archiveInfo(_target, { archive }, options) {
      called('info', options);
      const found = tool.archives.find(({ name }) => name === archive) ?? summary(archive);
      const more = { duration: 60, stats, commandLine: ['borg', 'create'], chunkerParams: ['buzhash', 19] };
      return { value: { ...found, ...more, maxArchiveSizeUsed: 0.1 }, warnings: [] };
    },
    async *listEntries(_target, _input, options) {
      called('entries', options);
      yield* stream(tool.entries, 2);
    },
    readFile(_target, { path }, options) {
      called('read', options, path);
      return Readable.from([Buffer.from(tool.contents[path] ?? '')]);
    },
    async deleteArchives(_target, { archives }, options) {
      called('delete', options);
      const there = archives.filter((name) => tool.archives.some((each) => each.name === name));
      tool.archives = tool.archives.filter(({ name }) => !archives.includes(name));
      return {
        value: { deleted: there, missing: archives.filter((each) => !there.includes(each)) },
        warnings: [],
      };
    },
  };
  return driver as BackupDriver;
}
