import { isDriverError } from '@holdfast/plugin-api/driver';
import { inTransaction, invalid, messageOf, say, shownReason } from '../../foundation/kernel/index.js';
import { withCandidate } from './identity.js';
import { rewriteInventory } from './inventory/rewrite-inventory.js';
import type { RepositoriesNeeds } from './needs.js';
import { openSecrets, openTarget, protectSecrets, sealSecrets } from './open-target.js';
import { findRepository, viewRepository } from './repositories.js';
import { opens } from './repository.rules.js';
import { type RepositoryRow, repositories } from './tables.js';

/**
 * Stores a passphrase that was changed with the tool itself, if it opens the repository. Throws AppError `not_found`,
 * `invalid`, `conflict`.
 */
export async function setPassphrase(
  needs: RepositoriesNeeds,
  id: number,
  { passphrase }: { passphrase: string },
) {
  const { storage, driver, events } = needs;
  const row = await findRepository(storage, { repository_id: id });
  requirePassphrase(row);
  const release = protectSecrets(needs.redactor, { passphrase, keyFile: null });
  try {
    const askedAt = needs.clock.now();
    const listed = await withCandidate(needs, row, (target) =>
      driver.listArchives({ ...target, passphrase }, { checkpoints: true }, { bypassLock: true }),
    );
    const sealed = sealSecrets(needs.secrets, row.uid, { passphrase, keyFile: null });
    const recorded = await inTransaction(storage, async (session) => {
      const fresh = await findRepository(session, { repository_id: id });
      const updated_at = Math.max(needs.clock.now(), fresh.updated_at + 1);
      const isNew = passphrase !== openSecrets(needs.secrets, fresh).passphrase;
      const patch = {
        ...opens,
        passphrase: sealed.passphrase,
        updated_at,
        ...(isNew && { credentials_at: updated_at }),
      };
      await session.update(repositories, { id }, patch);
      const data = { name: fresh.name, fields: ['passphrase'] };
      const kind = 'repository_updated' as const;
      const event = await events.record(session, { kind, repositoryId: id, jobId: null, data });
      const listing = { archives: listed.value, askedAt };
      return [event, ...(await rewriteInventory(needs, row, listing, session))];
    });
    events.announce(recorded);
  } finally {
    release();
  }
  const repository = await viewRepository(storage, id);
  const message = `The passphrase opens repository ${repository.name} and was stored.`;
  return { success: true as const, message, repository };
}

/** Throws AppError `invalid` for a repository without encryption. */
export function requirePassphrase({ encryption }: Pick<RepositoryRow, 'encryption'>): void {
  if (encryption === 'none')
    throw invalid(
      say`encryption_without_passphrase: Encryption none has no passphrase, so there is nothing to replace.`,
    );
}

/** Tests whether the tool opens the repository now, even while jobs run. Throws AppError `not_found`. */
export async function testRepository(needs: RepositoriesNeeds, id: number) {
  const row = await findRepository(needs.storage, { repository_id: id });
  const { target, release } = openTarget(needs, row);
  try {
    await needs.driver.listArchives(target, {}, { bypassLock: true });
    const message = `Repository ${row.name} can be opened.`;
    return { success: true, opens: true, message, code: null, ...shownReason(null) };
  } catch (error) {
    if (!isDriverError(error)) throw error;
    const message = `Repository ${row.name} can't be opened.`;
    return { success: false, opens: false, message, code: error.kind, ...shownReason(messageOf(error)) };
  } finally {
    release();
  }
}
