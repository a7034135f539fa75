import { randomUUID } from 'node:crypto';
import { type NewRepository, newRepository, type RepositoryWritten } from '@holdfast/contracts';
import { type RepositorySecrets, repositoryTarget } from './repository-target.rules.js';
import { invalid } from '../kernel/errors.js';
import type { RepositoryTarget } from '../ports/backup-driver.js';
import { inTransaction } from '../kernel/in-transaction.js';
import type { SshConnectionRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { checkNameFree, checkRoomForNew } from './check-location.js';
import { forgetCaches } from './forget-caches.js';
import { viewRepository } from './get-repository.js';
import { checkSourceConnection, placeConnection } from './given-connections.js';
import { ignoredFields } from './ignored-fields.js';
import { findLeft, isFreeOfRepositories } from './left-repository.js';
import { insertRepository, type Registration } from './new-row.js';
import { planPlace } from './plan-place.js';
import { removeFresh } from './remove-fresh.js';
import { beginMaking, type RepositoryMaking } from './repository-making.js';
import { protectSecrets, sealSecrets } from './repository-secrets.js';
import { checkGiven, checkTogether, settingsOf } from './repository-settings.js';
import { makeRoom, type RoomNeeds } from './room-for-repository.js';
import { sourceRemarks } from './source-remarks.js';
import { sayingWhatIsTaken } from './taken-repository-key.js';
import { withTool } from './tool-failure.js';

type Needs = RoomNeeds & Pick<Dependencies, 'driver' | 'redactor' | 'events' | 'settings' | 'log'>;

/**
 * Makes a repository and registers it. Whatever fails, nothing of it remains; what was there before is
 * never touched. AppError `invalid`, `not_found` (connection), `conflict` (name, path, a repository is
 * there already).
 */
export const createRepository =
  (needs: Needs) =>
  async (input: NewRepository): Promise<RepositoryWritten> => {
    const { storage, files, redactor } = needs;
    const settings = settingsOf(input);
    checkTogether(settings);
    const passphrase = passphraseOf(input);
    checkGiven(needs.driver, input);
    const connection = await placeConnection(storage, input);
    await checkSourceConnection(needs, settings);
    await checkNameFree(storage, input);
    const path = await planPlace(needs, { text: input.path, connection, settings });
    if (!connection) await checkRoomForNew(files, path);

    const secrets = { passphrase, keyFile: null };
    const release = protectSecrets(redactor, secrets);
    try {
      const { name, encryption } = input;
      const plan = { name, path, encryption, settings, secrets, connection };
      const { id, warnings } = await makeAndRegister(needs, plan);
      const repository = await viewRepository(storage, id);
      const remarks = await sourceRemarks(needs, settings);
      const told = [
        ...warnings,
        ...remarks,
        ...unusedPassphrase(input),
        ...ignoredFields(input, newRepository),
      ];
      const message = `Repository ${repository.name} was created.`;
      return { success: true, message, repository, ...(told.length > 0 ? { warnings: told } : {}) };
    } finally {
      release();
    }
  };

function passphraseOf({ encryption, passphrase }: NewRepository): string | null {
  if (encryption === 'none') return null;
  if (!passphrase || passphrase.trim() === '') {
    throw invalid(`passphrase is required with encryption ${encryption}, and must not be blank.`);
  }
  return passphrase;
}

const unusedPassphrase = ({ encryption, passphrase }: NewRepository): string[] =>
  encryption === 'none' && passphrase
    ? ['passphrase was not stored: a repository with encryption none has no use for it.']
    : [];

interface Plan extends Pick<Registration, 'name' | 'path' | 'settings'> {
  encryption: NewRepository['encryption'];
  secrets: RepositorySecrets;
  connection: SshConnectionRow | null;
}

async function makeAndRegister(needs: Needs, plan: Plan): Promise<{ id: number; warnings: string[] }> {
  const { secrets, settings, path } = plan;
  const bare = repositoryTarget({ uid: randomUUID(), path, ...settings }, secrets);
  const making = await beginMaking(needs, { path, isFree: () => isFreeOfRepositories(needs, bare) });
  const target = { ...bare, uid: making?.uid ?? bare.uid };
  try {
    const left = making?.takenOver ? await findLeft(needs, { target, encryption: plan.encryption }) : null;
    const place = { target, making };
    const made =
      left === null ? await makeNew(needs, plan, place) : await registerLeft(needs, plan, { ...place, left });
    making?.done();
    return made;
  } catch (error) {
    await forgetCaches(needs, target.uid);
    // What a process left is there still, unless it was of no use.
    await (making?.takenOver ? making.leave() : making?.forget());
    throw error;
  }
}

interface NewPlace {
  target: RepositoryTarget;
  making: RepositoryMaking | null;
}

async function makeNew(needs: Needs, plan: Plan, { target, making }: NewPlace) {
  const { driver } = needs;
  const room = await makeRoom(needs, plan);
  try {
    const made = await withTool(() => driver.init(target, { encryption: plan.encryption }));
    const { id: toolId, keyFile } = made.value;
    try {
      const id = await register(needs, plan, { target, toolId, keyFile, making });
      return { id, warnings: made.warnings };
    } catch (error) {
      const fresh = { ...target, keyFile };
      if ((await making?.isOurs()) !== false) await removeFresh(needs, { target: fresh, toolId, ...room });
      throw error;
    }
  } catch (error) {
    await room.takeBack();
    throw error;
  }
}

async function registerLeft(needs: Needs, plan: Plan, { left, ...place }: NewPlace & { left: string }) {
  const id = await register(needs, plan, { ...place, toolId: left, keyFile: null });
  return { id, warnings: ['The repository had been made by an earlier call, which was cut short.'] };
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
  const { name, path, encryption, settings } = plan;
  const sealed = sealSecrets(secrets, target.uid, { passphrase: target.passphrase, keyFile });
  const registration = {
    ...{ uid: target.uid, toolId, name, path, encryption, settings, sealed },
    ...{ storedSize: null, inventoryAt: now, now },
  };
  const work = () =>
    inTransaction(storage, async (session) => {
      await making?.finish(session);
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
  const { row, event } = await sayingWhatIsTaken(work);
  events.announce([event]);
  return row.id;
}
