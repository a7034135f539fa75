import type { NewRepository, RepositoryToImport } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { type SourceKindsNeeds, storedSources } from '../source-settings.js';
import { checkTogether, type RepositorySettings, settingsOf } from '../update-repository.js';
import { refuseBesideSet, withSetValues } from './set-values.js';

/** The settings of a new registration, with the values of its source set. Throws AppError `invalid`, `not_found`. */
export async function newSettings(
  needs: SourceKindsNeeds & { storage: StorageSession },
  input: NewRepository | RepositoryToImport,
): Promise<RepositorySettings> {
  const sources = storedSources(needs, input.sources, []);
  const settings = await withSetValues(needs.storage, settingsOf({ ...input, sources }));
  refuseBesideSet(input, settings, { isNew: true });
  checkTogether(settings);
  return settings;
}
