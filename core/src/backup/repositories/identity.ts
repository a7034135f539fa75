import type { IdentityAcceptance } from '@holdfast/contracts';
import type { RepositoryIdentity, RepositorySummary, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { conflict, inTransaction, invalid, say } from '../../foundation/kernel/index.js';
import { checkDirectory } from './check-location.js';
import { refuseWhileJobs } from './delete-repository.js';
import { newEpoch } from './inventory/new-epoch.js';
import { type Listing, rewriteInventory } from './inventory/rewrite-inventory.js';
import { hasKeyFile } from './key-file.js';
import type { RepositoriesNeeds } from './needs.js';
import { refuseSecondWriter } from './only-writer.js';
import { openSecrets, openTarget, protectSecrets, sealSecrets } from './open-target.js';
import { openErrorOf } from './recording-driver.js';
import { findRepository, viewRepository } from './repositories.js';
import { opens } from './repository.rules.js';
import { asCandidate, type CandidateNeeds, forgetCaches } from './repository-making.js';
import type { RepositorySecrets } from './repository-target.rules.js';
import { type RepositoryRow, repositories } from './tables.js';
import { withTool } from './tool-failure.js';

/**
 * Registers the repository that is now at the path in place of the earlier one: its id, encryption and archives.
 * Throws AppError `invalid` for a wrong name or a repository that can't be opened, `conflict` when nothing differs,
 * when its id is not the given one, or while a job is pending or running.
 */
export async function acceptIdentity(needs: RepositoriesNeeds, id: number, input: IdentityAcceptance) {
  const { storage } = needs;
  const row = await findRepository(storage, { repository_id: id });
  if (input.confirm_name !== row.name)
    throw invalid(
      say`identity_name_wrong: confirm_name: send the name of the repository, ${{ repository: row.name }}, to accept a different repository at its path.`,
    );
  await refuseWhileJobs(storage, id);
  const passphrase = input.passphrase ?? openSecrets(needs.secrets, row).passphrase;
  const release = protectSecrets(needs.redactor, { passphrase, keyFile: null });
  try {
    const found = await lookAt(needs, row, passphrase);
    requireExpectedIdentity(row, found.summary, input);
    await forgetCaches(needs, row.uid);
    await register(needs, row, { ...found, passphrase });
    const repository = await viewRepository(storage, id);
    const message = `Repository ${row.name} now has the id ${found.summary.id} and ${repository.archive_count} archives.`;
    const before = identity({ id: row.tool_id, encryption: row.encryption });
    return { success: true as const, message, before, after: identity(found.summary), repository };
  } finally {
    release();
  }
}

const identity = ({ id, encryption }: RepositoryIdentity) => ({ repository_id: id, encryption });

interface Found {
  summary: RepositorySummary;
  listing: Listing;
}

const lookAt = (needs: RepositoriesNeeds, row: RepositoryRow, passphrase: string | null): Promise<Found> =>
  withCandidate(needs, row, async ({ expected, ...target }) => {
    const options = { bypassLock: row.bypass_lock };
    const opened = await needs.driver.open({ ...target, passphrase }, {}, options);
    const askedAt = needs.clock.now();
    const listed = await needs.driver.listArchives({ ...target, passphrase }, { checkpoints: true }, options);
    return { summary: opened.value, listing: { archives: listed.value, askedAt } };
  });

function requireExpectedIdentity(
  row: RepositoryRow,
  { id, encryption }: RepositorySummary,
  { repository_id: meant }: IdentityAcceptance,
): void {
  if (meant !== undefined && meant !== id)
    throw conflict(
      say`identity_id_wrong: The repository at ${{ path: row.path }} has the id ${{ found: id }}, not ${{ given: meant }}: check it before you accept it.`,
    );
  const isOlderState = row.open_error_kind === 'older_state';
  if (id === row.tool_id && encryption === row.encryption && !isOlderState)
    throw conflict(
      say`identity_unchanged: The repository at ${{ path: row.path }} is the registered one, so there is nothing to accept.`,
    );
}

async function register(
  needs: RepositoriesNeeds,
  { id, uid, key_file, path }: RepositoryRow,
  { summary, listing, passphrase }: Found & Pick<RepositorySecrets, 'passphrase'>,
): Promise<void> {
  const { storage, events, clock } = needs;
  const { encryption } = summary;
  const stored = encryption === 'none' ? null : passphrase;
  const recorded = await inTransaction(storage, async (session) => {
    await refuseWhileJobs(session, id);
    const fresh = await findRepository(session, { repository_id: id });
    if (fresh.path !== path)
      throw conflict(
        say`repository_moved_meanwhile: The path of the repository changed during the request: check it and try again.`,
      );
    await refuseSecondWriter(session, { toolId: summary.id, mode: fresh.mode, ownId: id });
    const updated_at = Math.max(clock.now(), fresh.updated_at + 1);
    await session.update(
      repositories,
      { id },
      {
        ...opens,
        tool_id: summary.id,
        encryption,
        stored_size: summary.storedSize,
        passphrase: sealSecrets(needs.secrets, uid, { passphrase: stored, keyFile: null }).passphrase,
        key_file: hasKeyFile(encryption) ? key_file : null,
        last_backup: null,
        last_check: null,
        last_compact: null,
        inventory_at: null,
        cache_epoch: newEpoch(),
        updated_at,
        credentials_at: updated_at,
      },
    );
    const changed = await rewriteInventory(needs, fresh, listing, session);
    const data = { name: fresh.name, fields: ['identity'] };
    const event = await events.record(session, {
      kind: 'repository_updated' as const,
      repositoryId: id,
      jobId: null,
      data,
    });
    return [event, ...changed];
  });
  events.announce(recorded);
}

type CheckSameRepositoryNeeds = WithCandidateNeeds & RepositoriesNeeds;

/** Throws AppError `invalid` unless the registered repository is at the path and opens with the stored secrets. */
export async function checkSameRepository(
  needs: CheckSameRepositoryNeeds,
  row: RepositoryRow,
  {
    path,
    connectionId,
    remotePath,
  }: { path: string; connectionId: number | null; remotePath: string | null },
): Promise<void> {
  if (connectionId === null) await checkDirectory(needs.files, path);
  const { value } = await withCandidate(needs, row, ({ expected, ...target }) => {
    const candidate = { ...target, location: path, connectionId, remoteToolPath: remotePath };
    return needs.driver.open(candidate, {}, { bypassLock: row.bypass_lock });
  });
  if (value.id !== row.tool_id || value.encryption !== row.encryption) {
    throw invalid(
      say`other_repository_at_path: path: there is a different repository at ${{ path }}: import that one instead, or correct the path.`,
    );
  }
}

/**
 * Throws AppError `conflict` while another repository is at the path of this one, because recorded data does not
 * apply to it.
 */
export function refuseOtherRepository(row: RepositoryRow): void {
  if (row.open_error_kind === 'other_repository')
    throw conflict(
      openErrorOf(row) ?? say`other_repository_now: There is now a different repository at this path.`,
    );
}

type WithCandidateNeeds = CandidateNeeds & RepositoriesNeeds;

/**
 * Runs the tool on what may be a registered repository, under a temporary uid, so that its caches do not mix with
 * those of the registered one. Throws AppErrors for tool failures.
 */
export async function withCandidate<T>(
  needs: WithCandidateNeeds,
  row: RepositoryRow,
  work: (target: RepositoryTarget) => Promise<T>,
): Promise<T> {
  const { target, release } = openTarget(needs, row);
  try {
    return await asCandidate(needs, (uid) => withTool(() => work({ ...target, uid })));
  } finally {
    release();
  }
}
