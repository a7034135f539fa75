import { randomUUID } from 'node:crypto';
import type { RepositoryToImport } from '@holdfast/contracts';
import type { Encryption } from '@holdfast/plugin-api/driver';
import type { EventRow } from '../../foundation/events/index.js';
import { checkNameFree } from './check-location.js';
import { enter } from './enter-registration.js';
import { checkSourceConnection, placeConnection } from './given-connections.js';
import type { RepositoriesNeeds } from './needs.js';
import { sealSecrets } from './open-target.js';
import { planPlace } from './plan-place.js';
import { newSettings } from './source-sets/new-settings.js';
import { type RepositoryRow, repositories } from './tables.js';
import type { RecallRepository } from './take-up.js';
import { checkGiven } from './update-repository.js';

/** A repository whose identity the caller knows. Its settings are those of an import. */
export interface KnownRepository extends RepositoryToImport {
  /** The id that the tool gave it. Any other repository at this path is refused when it is opened. */
  toolId: string;
  encryption: Encryption;
}

/**
 * Registers a repository without opening it: its identity is compared when it is opened for the first time, and its
 * archives are listed then. Throws AppError as `importRepository` does.
 */
export async function registerKnownRepository(
  needs: RepositoriesNeeds,
  elsewhere: readonly RecallRepository[],
  input: KnownRepository,
): Promise<{ id: number; events: EventRow[] }> {
  const { storage, secrets, clock } = needs;
  const settings = await newSettings(needs, input);
  checkGiven(needs.driver, input);
  const connection = await placeConnection(storage, input);
  await checkSourceConnection(needs, settings);
  await checkNameFree(storage, input);
  const path = await planPlace(needs, { text: input.path, connection, settings });
  const uid = randomUUID();
  const keyFile = input.keyfile_content?.trim() ? input.keyfile_content : null;
  const passphrase = input.encryption === 'none' ? null : (input.passphrase ?? null);
  const now = clock.now();
  const registration = {
    uid,
    toolId: input.toolId,
    name: input.name,
    path,
    settings,
    encryption: input.encryption,
    sealed: sealSecrets(secrets, uid, { passphrase, keyFile }),
    storedSize: null,
    inventoryAt: null,
    now,
  };
  const { id, recorded } = await enter(needs, registration, { listing: null, elsewhere });
  return { id, events: recorded };
}

/** Stores secrets of a registered repository that has none yet. Those that it has stay. */
export async function addSecrets(
  { storage, secrets, clock }: Pick<RepositoriesNeeds, 'storage' | 'secrets' | 'clock'>,
  row: RepositoryRow,
  { passphrase, keyFile }: { passphrase: string | null; keyFile: string | null },
): Promise<void> {
  const sealed = sealSecrets(secrets, row.uid, { passphrase, keyFile });
  const patch = {
    ...(row.passphrase === null && row.encryption !== 'none' && { passphrase: sealed.passphrase }),
    ...(row.key_file === null && { key_file: sealed.key_file }),
  };
  const updated_at = Math.max(clock.now(), row.updated_at + 1);
  const at = { updated_at, credentials_at: updated_at };
  await storage.update(repositories, { id: row.id }, { ...patch, ...at });
}
