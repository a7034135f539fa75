import type {
  CreateArchiveInput,
  CreateArchiveResult,
  DriverResult,
  FoundSource,
  OperationOptions,
  RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import { jobs } from '../../engine/jobs/index.js';
import type { BackupOutcome } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type { BackupsNeeds } from './needs.js';

/** Where a backup's data comes from. */
export interface BackupSource {
  /** Null: this machine. */
  connectionId: number | null;
  /** Throws AppError `invalid` when none of the sources exists, as far as a quick check can tell. */
  assertSourcesExist(): Promise<void>;
  create(
    target: RepositoryTarget,
    input: CreateArchiveInput,
    options: OperationOptions,
  ): Promise<DriverResult<CreateArchiveResult>>;
  /** The state of each source when `create` began. */
  found(): Promise<FoundSource[]>;
  /** Other file systems below the sources that `create` left out; none when unknown. */
  skipped?(): Promise<string[]>;
  /** Whether the sources may contain a regular file. Called for an archive without files. */
  hasFile(): Promise<boolean>;
  /** Bytes; 0 when unknown. */
  measure(signal: AbortSignal): Promise<number>;
}

interface Asked {
  repository: RepositoryRow;
  source: Pick<BackupSource, 'connectionId' | 'measure'>;
  signal: AbortSignal;
}

/**
 * Expected size in bytes: that of the last backup of the same sources, which is cheap to read, or else the
 * result of walking the sources while the tool runs. 0 when unknown. Never rejects.
 */
export async function expectedSize(
  { storage, log }: Pick<BackupsNeeds, 'storage' | 'log'>,
  { repository, source, signal }: Asked,
): Promise<number> {
  try {
    const [last] = await storage.find(jobs, {
      where: { repository_id: repository.id, kind: 'backup', status: 'completed' },
      order: [['id', 'desc']],
      limit: 1,
    });
    const outcome = last?.outcome as BackupOutcome | null | undefined;
    const same =
      outcome?.sources?.join('\0') === repository.source_directories.join('\0') &&
      (outcome.sourceConnectionId ?? null) === source.connectionId;
    if (outcome && same) return outcome.stats.originalSize;
    return await source.measure(signal);
  } catch (error) {
    log.debug('could not measure the size of the sources', { error });
    return 0;
  }
}
