import { type RepositoryToImport, type RepositoryWritten, repositoryToImport } from '@holdfast/contracts';
import { isDriverError, type RepositorySummary, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import { atMost } from '../../foundation/kernel/index.js';
import { checkDirectory, checkNameFree } from './check-location.js';
import { contentsOf, withKey } from './contents.js';
import { type Entered, enter } from './enter-registration.js';
import { checkSourceConnection, ignoredFields, placeConnection } from './given-connections.js';
import { refreshInventory } from './inventory/current-inventory.js';
import type { Listing } from './inventory/rewrite-inventory.js';
import { hasKeyFile } from './key-file.js';
import type { RepositoriesNeeds } from './needs.js';
import { protectSecrets, sealSecrets } from './open-target.js';
import { planPlace } from './plan-place.js';
import { viewRepository } from './repositories.js';
import { forgetCaches, noteCandidate, type RepositoryMaking } from './repository-making.js';
import { type RepositorySecrets, repositoryTarget } from './repository-target.rules.js';
import { sourceRemarks } from './source-remarks.js';
import { newSettings } from './source-sets/new-settings.js';
import { repositories } from './tables.js';
import type { RecallRepository } from './take-up.js';
import { toolFailure, withTool } from './tool-failure.js';
import { checkGiven, type RepositorySettings } from './update-repository.js';

/** An answer waits this long for the size; of a large repository it follows. Milliseconds. */
const sizeWithinMs = 3_000;

/** Calls for the same import while the first one runs get its answer: a proxy that gave up repeats no work. */
export function importOnce(
  needs: RepositoriesNeeds & RepositoriesNeeds,
  elsewhere: readonly RecallRepository[],
) {
  const importNow = importRepository(needs, elsewhere);
  const running = new Map<string, Promise<RepositoryWritten>>();
  return (input: RepositoryToImport): Promise<RepositoryWritten> => {
    const key = JSON.stringify(input);
    const begun = running.get(key);
    if (begun) return begun;
    const importing = importNow(input)
      .then(async (written) => {
        const { id } = written.repository;
        await atMost(sizeWithinMs, readSize(needs, id));
        return { ...written, repository: await viewRepository(needs.storage, id) };
      })
      .finally(() => running.delete(key));
    running.set(key, importing);
    return importing;
  };
}

/** In the background: to measure a large repository, the tool first builds its cache. Never rejects. */
async function readSize(needs: RepositoriesNeeds & RepositoriesNeeds, id: number): Promise<void> {
  try {
    const [repository] = await needs.storage.find(repositories, { where: { id }, limit: 1 });
    if (!repository) return;
    await needs.lanes.withLane(id, 'size of the repository', () =>
      refreshInventory(needs, repository, { withSize: true }),
    );
  } catch (error) {
    needs.log.info('the size of an imported repository is read later', { repository: id, error });
  }
}

/**
 * Registers an existing repository after one call of the tool with the given secrets, which also lists its archives.
 * Throws AppError `invalid` (no repository, passphrase, key file), `conflict` (name, path, locked), `not_found`
 * (connection). `quick`: without the lock of the tool. The stored size is read when the archives are listed again.
 */
export const importRepository =
  (needs: RepositoriesNeeds, elsewhere: readonly RecallRepository[] = [], { quick = false } = {}) =>
  async (input: RepositoryToImport): Promise<RepositoryWritten> => {
    const { storage } = needs;
    const settings = await newSettings(needs, input);
    checkGiven(needs.driver, input);
    const connection = await placeConnection(storage, input);
    await checkSourceConnection(needs, settings);
    await checkNameFree(storage, input);
    const path = await planPlace(needs, { text: input.path, connection, settings });
    if (!connection) await checkDirectory(needs.files, path);

    const keyFile = input.keyfile_content?.trim() ? input.keyfile_content : null;
    const secrets = { passphrase: input.passphrase ?? null, keyFile };
    const release = protectSecrets(needs.redactor, secrets);
    try {
      const plan = { name: input.name, path, settings, secrets, quick };
      const { id, inspected, isFormer, remarks } = await inspectAndRegister(needs, plan, elsewhere);
      const repository = await viewRepository(storage, id);
      const ofSources = await sourceRemarks(needs, settings);
      const warnings = [
        ...inspected.warnings,
        ...unusedPassphrase(inspected, secrets),
        ...ofSources,
        ...remarks.map(String),
        ...ignoredFields(input, repositoryToImport, reasons),
      ];
      const again = isFormer
        ? ' It was registered before: its id, jobs, figures and schedules are as they were.'
        : '';
      const message = `Repository ${repository.name} was imported with ${repository.archive_count} archives.${again}`;
      return { success: true, message, repository, ...(warnings.length > 0 ? { warnings } : {}) };
    } finally {
      release();
    }
  };

const unusedPassphrase = ({ summary }: Inspected, { passphrase }: RepositorySecrets): string[] =>
  summary.encryption === 'none' && passphrase
    ? [
        'The repository is not encrypted, so anyone with access to it can read it: the passphrase was not stored.',
      ]
    : [];

const reasons = { encryption: 'was ignored: it is read from the repository.' };

interface Plan {
  name: string;
  path: string;
  settings: RepositorySettings;
  secrets: RepositorySecrets;
  quick: boolean;
}

type Registered = Omit<Entered, 'recorded'>;

async function inspectAndRegister(
  needs: RepositoriesNeeds,
  plan: Plan,
  elsewhere: readonly RecallRepository[],
): Promise<Registered & { inspected: Inspected }> {
  const making = await noteCandidate(needs);
  try {
    const inspected = await inspectRepository(needs, { uid: making.uid, ...plan });
    const registered = await register(needs, plan, { making, inspected, elsewhere });
    making.done();
    return { ...registered, inspected };
  } catch (error) {
    await forgetCaches(needs, making.uid);
    await making.forget();
    throw error;
  }
}

async function register(
  needs: RepositoriesNeeds,
  { name, path, settings, secrets }: Plan,
  {
    making,
    inspected,
    elsewhere,
  }: { making: RepositoryMaking; inspected: Inspected; elsewhere: readonly RecallRepository[] },
): Promise<Registered> {
  const { summary, listing, keyFile } = inspected;
  const { uid, finish } = making;
  const passphrase = summary.encryption === 'none' ? null : secrets.passphrase;
  const registration = {
    uid,
    toolId: summary.id,
    name,
    path,
    settings,
    encryption: summary.encryption,
    sealed: sealSecrets(needs.secrets, uid, { passphrase, keyFile }),
    storedSize: summary.storedSize,
    inventoryAt: null,
    now: needs.clock.now(),
  };
  const { recorded, ...registered } = await enter(needs, registration, { listing, elsewhere, finish });
  needs.events.announce(recorded);
  return registered;
}

export interface Inspected {
  summary: Omit<RepositorySummary, 'storedSize'> & { storedSize: number | null };
  /** Null when the archives could not be listed; a warning then says so. */
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
  quick: boolean;
}

/** Opens a repository that is not registered yet and lists its archives. Throws AppErrors for tool failures. */
async function inspectRepository(needs: RepositoriesNeeds, candidate: Candidate): Promise<Inspected> {
  const { uid, path, settings, secrets, quick } = candidate;
  const bare = repositoryTarget({ uid, path, ...settings }, secrets);
  const inspected = await lookAt(needs, bare, quick || settings.bypass_lock);
  const usesKeyFile = hasKeyFile(inspected.summary.encryption);
  if (inspected.keyFile === null || usesKeyFile) return inspected;
  const unused = `keyfile_content was not stored: this repository (${inspected.summary.encryption}) has no key file.`;
  return { ...inspected, keyFile: null, warnings: [...inspected.warnings, unused] };
}

async function lookAt(
  { driver, clock }: RepositoriesNeeds,
  bare: RepositoryTarget,
  bypassLock: boolean,
): Promise<Inspected> {
  const askedAt = clock.now();
  try {
    const { contents, keyFile, warnings } = await contentsOf(driver, bare, { bypassLock });
    const listing = { archives: contents.archives, askedAt };
    return { summary: { ...contents, storedSize: null }, listing, keyFile, warnings };
  } catch (error) {
    if (!isDriverError(error, 'failed')) throw toolFailure(error);
    // A repository that opens is registered all the same: its archives can be listed later.
    const { target, opened } = await openBare({ driver }, bare, { bypassLock });
    const warnings = [...opened.warnings, `The archives could not be listed yet: ${error.message}`];
    return { summary: opened.value, listing: null, keyFile: target.keyFile, warnings };
  }
}

/** Opens a repository that is not registered, and reads which one it is. Throws AppErrors for tool failures. */
export const openCandidate = (
  needs: Pick<RepositoriesNeeds, 'driver'>,
  { uid, path, settings, secrets }: OpenedCandidate,
) =>
  openBare(needs, repositoryTarget({ uid, path, ...settings }, secrets), {
    bypassLock: settings.bypass_lock,
  });

async function openBare(
  { driver }: Pick<RepositoriesNeeds, 'driver'>,
  bare: RepositoryTarget,
  options: { bypassLock: boolean },
) {
  const target = await withTool(() => withKey(driver, bare, options));
  return { target, opened: await withTool(() => driver.open(target, {}, options)) };
}

type OpenedCandidate = Omit<Candidate, 'settings' | 'quick'> & {
  settings: Pick<RepositorySettings, 'bypass_lock' | 'remote_path' | 'connection_id'>;
};
