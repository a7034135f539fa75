import { type Caller, isAppError } from '../../../foundation/kernel/index.js';
import { findRepository, type RepositorySelector, requireRightToFiles } from '../../repositories/index.js';
import type { ArchivesNeeds } from '../needs.js';

/**
 * Throws AppError `forbidden` where the caller may not have files of this repository, or not yet. The download itself
 * reports a repository that is unknown.
 */
export async function admitDownload(
  { storage, clock }: ArchivesNeeds,
  caller: Caller,
  selector: RepositorySelector,
): Promise<void> {
  const found = await findRepository(storage, selector).catch((error: unknown) => {
    if (isAppError(error)) return null;
    throw error;
  });
  if (found) requireRightToFiles(caller, found, clock.now());
}
