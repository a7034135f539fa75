import { type RepositorySecrets, repositoryTarget } from './repository-target.rules.js';
import { isDriverError } from '../kernel/errors.js';
import type { RepositorySummary, RepositoryTarget } from '../ports/backup-driver.js';
import type { Dependencies } from '../dependencies.js';
import type { Listing } from './inventory/rewrite-inventory.js';
import { hasKeyFile } from './key-file-encryption.js';
import type { RepositorySettings } from './repository-settings.js';
import { withTool } from './tool-failure.js';

export interface Inspected {
  summary: RepositorySummary;
  /** Null when it could not be listed; then a warning says so. */
  listing: Listing | null;
  /** The text to store; null when the encryption has no key file. */
  keyFile: string | null;
  warnings: string[];
}

interface Candidate {
  uid: string;
  path: string;
  settings: RepositorySettings;
  secrets: RepositorySecrets;
}

type Needs = Pick<Dependencies, 'driver' | 'clock'>;

/**
 * Opens a repository that is not registered yet, and lists its archives. AppErrors that say what is wrong
 * with it.
 */
export async function inspectRepository(needs: Needs, candidate: Candidate): Promise<Inspected> {
  const { driver } = needs;
  const { uid, path, settings, secrets } = candidate;
  const options = { bypassLock: settings.bypass_lock };
  const bare = repositoryTarget({ uid, path, ...settings }, secrets);
  const text = secrets.keyFile;
  const keyFile =
    text === null ? null : (await withTool(() => driver.importKey(bare, { text }, options))).value.keyFile;
  const target = { ...bare, keyFile };
  const opened = await withTool(() => driver.open(target, {}, options));
  const { listing, warnings } = await list(needs, target, options);
  const usesKeyFile = hasKeyFile(opened.value.encryption);
  if (keyFile !== null && !usesKeyFile) {
    warnings.push(
      `keyfile_content was not stored: this repository (${opened.value.encryption}) has no key file.`,
    );
  }
  return {
    summary: opened.value,
    listing,
    keyFile: usesKeyFile ? keyFile : null,
    warnings: [...opened.warnings, ...warnings],
  };
}

/** That it can't be listed is no reason not to register it: it can be listed later. */
async function list({ driver, clock }: Needs, target: RepositoryTarget, options: { bypassLock: boolean }) {
  const askedAt = clock.now();
  try {
    const { value, warnings } = await driver.listArchives(target, { checkpoints: true }, options);
    return { listing: { archives: value, askedAt }, warnings };
  } catch (error) {
    if (!isDriverError(error)) throw error;
    return { listing: null, warnings: [`The archives could not be counted yet: ${error.message}`] };
  }
}
