import { invalid } from '../kernel/errors.js';
import type { RepositoryRow } from '../schema/tables.js';

/** The repository itself, or AppError `invalid` when it can't take backups at all. */
export function refuseUnlessBackable(repository: RepositoryRow): RepositoryRow {
  if (repository.mode === 'observe') {
    throw invalid(
      `Repository ${repository.name} is in observe mode, which only reads. Set its mode to full to back up into it.`,
    );
  }
  if (repository.source_directories.length === 0) {
    throw invalid(
      `Repository ${repository.name} has no source directories. Add at least one with PUT /api/repositories/${repository.id}.`,
    );
  }
  return repository;
}
