import type { FoundSource } from '../repositories/found-source.rules.js';
import type {
  CreateArchiveInput,
  CreateArchiveResult,
  DriverResult,
  OperationOptions,
  RepositoryTarget,
} from '../ports/backup-driver.js';

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
