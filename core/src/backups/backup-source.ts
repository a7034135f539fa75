import type {
  CreateArchiveInput,
  CreateArchiveResult,
  DriverResult,
  FoundSource,
  OperationOptions,
  RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import { jobs } from '../jobs/tables.js';
import type { BackupOutcome } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type { BackupsNeeds } from './needs.js';

/** Where a backup's data comes from. */
export interface BackupSource {
  /** Null: this machine. */
  connectionId: number | null;
  /** AppError `invalid` when none of the sources is there, as far as that can be told at once. */
  refuseWithoutSources(): Promise<void>;
  create(
    target: RepositoryTarget,
    input: CreateArchiveInput,
    options: OperationOptions,
  ): Promise<DriverResult<CreateArchiveResult>>;
  /** What was at the place of each source when `create` began. */
  found(): Promise<FoundSource[]>;
  /** Whether the sources may hold a regular file; asked for an archive without files. */
  hasFile(): Promise<boolean>;
  /** Bytes; 0 when it can't be known. */
  measure(signal: AbortSignal): Promise<number>;
}

interface Asked {
  repository: RepositoryRow;
  source: Pick<BackupSource, 'connectionId' | 'measure'>;
  signal: AbortSignal;
}

/**
 * Bytes to expect: those of the last backup of the same sources, which cost nothing to ask, else a walk beside
 * the tool. 0 when it can't be known; never rejects.
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
    log.debug('the size of the sources could not be measured', { error });
    return 0;
  }
}
