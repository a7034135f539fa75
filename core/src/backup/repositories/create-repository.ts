import { type NewRepository, newRepository, type RepositoryWritten } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import type { Encryption, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { inTransaction, invalid, say } from '../../foundation/kernel/index.js';
import { isRemoteLocation } from '../ssh/index.js';
import type { SshConnectionRow } from '../ssh/tables.js';
import { checkCreatable, checkNameFree } from './check-location.js';
import { findLeftover, isFreeOfRepositories } from './delete-repository.js';
import { checkSourceConnection, ignoredFields, placeConnection } from './given-connections.js';
import { isCopyOfHidden } from './hidden-repositories.js';
import type { RepositoriesNeeds } from './needs.js';
import { protectSecrets, sealSecrets } from './open-target.js';
import { makeParentFolders, type ParentFolderNeeds, planPlace } from './plan-place.js';
import { reportTaken, viewRepository } from './repositories.js';
import { beginMaking, forgetCaches, noteCandidate, type RepositoryMaking } from './repository-making.js';
import { type RepositorySecrets, repositoryTarget } from './repository-target.rules.js';
import { sourceRemarks } from './source-remarks.js';
import { newSettings } from './source-sets/new-settings.js';
import { withSetValues } from './source-sets/set-values.js';
import { type RepositoryRow, repositories } from './tables.js';
import { withTool } from './tool-failure.js';
import { checkGiven, type RepositorySettings } from './update-repository.js';

type Needs = ParentFolderNeeds &
  Pick<RepositoriesNeeds, 'driver' | 'redactor' | 'events' | 'settings' | 'log' | 'sourceKinds'>;

/**
 * Creates a repository and registers it. After any failure nothing of it remains; existing data is never touched.
 * Throws AppError `invalid`, `not_found` (connection), `conflict` (name, path, a repository is there already).
 */
export async function createRepository(
  needs: Needs,
  input: NewRepository,
  { selfBackup = false } = {},
): Promise<RepositoryWritten> {
  const { storage, files, redactor } = needs;
  const settings = await newSettings(needs, input);
  const passphrase = passphraseOf(input);
  checkGiven(needs.driver, input);
  const connection = await placeConnection(storage, input);
  await checkSourceConnection(needs, settings);
  await checkNameFree(storage, input);
  const path = await planPlace(needs, { text: input.path, connection, settings });
  if (!connection) await checkCreatable(files, path);

  const secrets = { passphrase, keyFile: null };
  const release = protectSecrets(redactor, secrets);
  try {
    const { name, encryption } = input;
    const plan = { name, path, encryption, settings, secrets, connection, selfBackup };
    const { id, warnings } = await makeAndRegister(needs, plan);
    const repository = await viewRepository(storage, id);
    const remarks = await sourceRemarks(needs, settings);
    const allWarnings = [
      ...warnings,
      ...remarks,
      ...unusedPassphrase(input),
      ...ignoredFields(input, newRepository),
    ];
    const message = `Repository ${repository.name} was created.`;
    return {
      success: true,
      message,
      repository,
      ...(allWarnings.length > 0 ? { warnings: allWarnings } : {}),
    };
  } finally {
    release();
  }
}

function passphraseOf({ encryption, passphrase }: NewRepository): string | null {
  if (encryption === 'none') return null;
  if (!passphrase || passphrase.trim() === '') {
    throw invalid(
      say`passphrase_missing: passphrase is required with encryption ${{ encryption }}, and must not be blank.`,
    );
  }
  return passphrase;
}

const unusedPassphrase = ({ encryption, passphrase }: NewRepository): string[] =>
  encryption === 'none' && passphrase
    ? ['passphrase was not stored: a repository with encryption none does not need it.']
    : [];

interface Plan extends Pick<Registration, 'name' | 'path' | 'settings' | 'selfBackup'> {
  encryption: NewRepository['encryption'];
  secrets: RepositorySecrets;
  connection: SshConnectionRow | null;
}

async function makeAndRegister(needs: Needs, plan: Plan): Promise<{ id: number; warnings: string[] }> {
  const { secrets, settings, path } = plan;
  const targetOf = (uid: string) => repositoryTarget({ uid, path, ...settings }, secrets);
  const isFree = () => isFreeOfRepositories(needs, targetOf(''));
  const making = (await beginMaking(needs, { path, isFree })) ?? (await noteCandidate(needs));
  const target = targetOf(making.uid);
  try {
    const leftover = making.takenOver
      ? await findLeftover(needs, { target, encryption: plan.encryption })
      : null;
    const place = { target, making };
    const made =
      leftover === null
        ? await makeNew(needs, plan, place)
        : await registerLeftover(needs, plan, { ...place, leftover });
    making.done();
    return made;
  } catch (error) {
    await forgetCaches(needs, target.uid);
    // Keep what the other process left for a later call.
    await (making.takenOver ? making.leave() : making.forget());
    throw error;
  }
}

interface NewPlace {
  target: RepositoryTarget;
  making: RepositoryMaking;
}

async function makeNew(needs: Needs, plan: Plan, { target, making }: NewPlace) {
  const { driver } = needs;
  const parents = await makeParentFolders(needs, plan);
  try {
    const made = await withTool(() => driver.init(target, { encryption: plan.encryption }));
    const { id: toolId, keyFile } = made.value;
    try {
      const id = await register(needs, plan, { target, toolId, keyFile, making });
      return { id, warnings: made.warnings };
    } catch (error) {
      const fresh = { ...target, keyFile };
      if (await making.isOurs()) await removeFresh(needs, { target: fresh, toolId, ...parents });
      throw error;
    }
  } catch (error) {
    await parents.remove();
    throw error;
  }
}

async function registerLeftover(
  needs: Needs,
  plan: Plan,
  { leftover, ...place }: NewPlace & { leftover: string },
) {
  const id = await register(needs, plan, { ...place, toolId: leftover, keyFile: null });
  return { id, warnings: ['The repository had been created by an earlier call that was interrupted.'] };
}

interface MadeRepository extends NewPlace {
  toolId: string;
  keyFile: string | null;
}

async function register(
  { storage, secrets, events, clock }: Needs,
  plan: Plan,
  { target, toolId, keyFile, making }: MadeRepository,
): Promise<number> {
  const now = clock.now();
  const { name, path, encryption, settings, selfBackup = false } = plan;
  const sealed = sealSecrets(secrets, target.uid, { passphrase: target.passphrase, keyFile });
  const registration = {
    uid: target.uid,
    toolId,
    name,
    path,
    encryption,
    settings,
    sealed,
    storedSize: null,
    inventoryAt: now,
    now,
    selfBackup,
  };
  const work = () =>
    inTransaction(storage, async (session) => {
      await making.finish(session);
      const row = await insertRepository(session, registration);
      const data = { name, path, imported: false };
      const event = await events.record(session, {
        kind: 'repository_created',
        repositoryId: row.id,
        jobId: null,
        data,
      });
      return { row, event };
    });
  const { row, event } = await reportTaken(work);
  events.announce([event]);
  return row.id;
}

export interface Registration {
  uid: string;
  toolId: string;
  name: string;
  path: string;
  encryption: Encryption;
  settings: RepositorySettings;
  sealed: Pick<RepositoryRow, 'passphrase' | 'key_file'>;
  storedSize: number | null;
  /** It holds the copies of this service itself. */
  selfBackup?: boolean;
  /** When the archives were last listed, in milliseconds; null when they were not. */
  inventoryAt: number | null;
  now: number;
}

/** Throws StoreError `unique` for a taken name or path; AppError `not_found` when its source set is gone. */
export const insertRepository = async (
  session: StorageSession,
  registration: Registration,
): Promise<RepositoryRow> => session.insert(repositories, await registeredRow(session, registration));

export const registeredRow = async (session: StorageSession, registration: Registration) => ({
  ...(await withSetValues(session, registration.settings)),
  ...registration.sealed,
  uid: registration.uid,
  tool_id: registration.toolId,
  name: registration.name,
  path: registration.path,
  encryption: registration.encryption,
  stored_size: registration.storedSize,
  inventory_at: registration.inventoryAt,
  // This service has made no backup here yet.
  sweep_due: false,
  ...(registration.selfBackup && { self_backup: true }),
  ...((registration.selfBackup || (await isCopyOfHidden(session, registration.toolId))) && {
    admin_only: true,
  }),
  created_at: registration.now,
  updated_at: registration.now,
});

interface FreshRepository {
  target: RepositoryTarget;
  /** The id that the tool gave to the repository created by this call. */
  toolId: string;
  /** The empty folder existed before, so it stays. */
  placeWasThere: boolean;
}

/**
 * Removes a new repository that could not be registered, if it is still the same one and has no archives. Never
 * throws; logs what it leaves.
 */
async function removeFresh(
  { driver, files, log }: Pick<RepositoriesNeeds, 'driver' | 'files' | 'log'>,
  { target, toolId, placeWasThere }: FreshRepository,
): Promise<void> {
  const { location } = target;
  try {
    const { value } = await driver.open(target, {});
    const listed = await driver.listArchives(target, { checkpoints: true });
    if (value.id !== toolId || listed.value.length > 0) {
      log.warn('a new repository that could not be registered is already in use and was kept', { location });
      return;
    }
    if (isRemoteLocation(location)) {
      await driver.destroy?.(target, {});
      return;
    }
    await files.removeContents(location);
    if (!placeWasThere) await files.removeEmptyDirectories([location]);
  } catch (error) {
    log.warn('a new repository that could not be registered was kept on disk', { location, error });
  }
}
