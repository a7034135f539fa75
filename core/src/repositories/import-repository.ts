import { randomUUID } from 'node:crypto';
import { type RepositoryToImport, type RepositoryWritten, repositoryToImport } from '@holdfast/contracts';
import type { RepositorySecrets } from './repository-target.rules.js';
import { inTransaction } from '../kernel/in-transaction.js';
import type { Dependencies } from '../dependencies.js';
import { rewriteInventory } from './inventory/rewrite-inventory.js';
import { checkDirectory, checkNameFree } from './check-location.js';
import { forgetCaches } from './forget-caches.js';
import { viewRepository } from './get-repository.js';
import { checkSourceConnection, placeConnection } from './given-connections.js';
import { ignoredFields } from './ignored-fields.js';
import { type Inspected, inspectRepository } from './inspect-repository.js';
import { insertRepository } from './new-row.js';
import { planPlace } from './plan-place.js';
import { protectSecrets, sealSecrets } from './repository-secrets.js';
import { checkGiven, checkTogether, type RepositorySettings, settingsOf } from './repository-settings.js';
import { sourceRemarks } from './source-remarks.js';
import { sayingWhatIsTaken } from './taken-repository-key.js';

type Needs = Pick<
  Dependencies,
  'storage' | 'driver' | 'files' | 'secrets' | 'redactor' | 'events' | 'clock' | 'settings' | 'log'
>;

/**
 * Registers a repository that exists, after it was opened with the given secrets; its archives are known at
 * once. AppError `invalid` (no repository, passphrase, key file), `conflict` (name, path, locked),
 * `not_found` (connection).
 */
export const importRepository =
  (needs: Needs) =>
  async (input: RepositoryToImport): Promise<RepositoryWritten> => {
    const { storage } = needs;
    const settings = settingsOf(input);
    checkTogether(settings);
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
      const { id, inspected } = await inspectAndRegister(needs, {
        name: input.name,
        path,
        settings,
        secrets,
      });
      const repository = await viewRepository(storage, id);
      const remarks = await sourceRemarks(needs, settings);
      const told = [
        ...inspected.warnings,
        ...unusedPassphrase(inspected, secrets),
        ...remarks,
        ...ignoredFields(input, repositoryToImport, reasons),
      ];
      const message = `Repository ${repository.name} was imported with ${repository.archive_count} archives.`;
      return { success: true, message, repository, ...(told.length > 0 ? { warnings: told } : {}) };
    } finally {
      release();
    }
  };

const unusedPassphrase = ({ summary }: Inspected, { passphrase }: RepositorySecrets): string[] =>
  summary.encryption === 'none' && passphrase
    ? ['The repository is not encrypted, and anybody who gets it can read it: the passphrase was not stored.']
    : [];

const reasons = { encryption: 'was ignored: it is read from the repository itself.' };

interface Plan {
  name: string;
  path: string;
  settings: RepositorySettings;
  secrets: RepositorySecrets;
}

async function inspectAndRegister(needs: Needs, plan: Plan): Promise<{ id: number; inspected: Inspected }> {
  const uid = randomUUID();
  try {
    const inspected = await inspectRepository(needs, { uid, ...plan });
    return { id: await register(needs, plan, { uid, inspected }), inspected };
  } catch (error) {
    await forgetCaches(needs, uid);
    throw error;
  }
}

async function register(
  needs: Needs,
  { name, path, settings, secrets }: Plan,
  { uid, inspected }: { uid: string; inspected: Inspected },
): Promise<number> {
  const { summary, listing, keyFile } = inspected;
  const passphrase = summary.encryption === 'none' ? null : secrets.passphrase;
  const registration = {
    ...{ uid, toolId: summary.id, name, path, settings, encryption: summary.encryption },
    sealed: sealSecrets(needs.secrets, uid, { passphrase, keyFile }),
    storedSize: summary.storedSize,
    inventoryAt: null,
    now: needs.clock.now(),
  };
  const work = () =>
    inTransaction(needs.storage, async (session) => {
      const row = await insertRepository(session, registration);
      const created = await needs.events.record(session, {
        ...{ kind: 'repository_created' as const, repositoryId: row.id, jobId: null },
        data: { name, path, imported: true },
      });
      const changed = listing ? await rewriteInventory(needs)(row, listing, session) : [];
      return { id: row.id, recorded: [created, ...changed] };
    });
  const { id, recorded } = await sayingWhatIsTaken(work);
  needs.events.announce(recorded);
  return id;
}
