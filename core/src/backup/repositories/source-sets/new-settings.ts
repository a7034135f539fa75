import type { NewRepository, RepositoryToImport } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { checkTogether, type RepositorySettings, settingsOf } from '../update-repository.js';
import { refuseBesideSet, withSetValues } from './set-values.js';

/** The settings of a new registration, with the values of its source set. Throws AppError `invalid`, `not_found`. */
export async function newSettings(
  session: StorageSession,
  input: NewRepository | RepositoryToImport,
): Promise<RepositorySettings> {
  const settings = await withSetValues(session, settingsOf(input));
  refuseBesideSet(input, settings, { isNew: true });
  checkTogether(settings);
  return settings;
}
