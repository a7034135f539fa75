import type { AttachmentChanges, AttachmentView, NewAttachment } from '@holdfast/contracts';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import type { Caller } from '../../foundation/kernel/index.js';
import { conflict, inTransaction, notFound, say } from '../../foundation/kernel/index.js';
import { findRepository } from '../repositories/index.js';
import { repositories } from '../repositories/tables.js';
import { findScript } from './find-script.js';
import type { HooksNeeds } from './needs.js';
import { sealValues } from './parameter-values.js';
import { maskValues } from './script.rules.js';
import { attachmentView, viewFor } from './script-view.js';
import { type RepositoryScriptRow, repositoryScripts, scriptRuns, scripts } from './tables.js';

/** Throws AppError `not_found` (repository, script), `invalid` (values), `conflict` (already attached). */
export async function attachScript(
  needs: HooksNeeds,
  repositoryId: number,
  { script_id, parameter_values, ...rest }: NewAttachment,
) {
  const { storage, secrets, clock } = needs;
  const work = () =>
    inTransaction(storage, async (session) => {
      await findRepository(session, { repository_id: repositoryId });
      const script = await findScript(session, script_id);
      const given = parameter_values ?? {};
      const values = sealValues(secrets, script, { given, stored: null });
      return session.insert(repositoryScripts, {
        ...rest,
        repository_id: repositoryId,
        script_id,
        created_at: clock.now(),
        custom_timeout: rest.custom_timeout ?? null,
        custom_run_on: rest.custom_run_on ?? null,
        parameter_values: parameter_values ? values : null,
      });
    });
  const { id } = await conflictIfAttached(work);
  return attachmentWritten(storage, { repositoryId, attachmentId: id });
}

async function conflictIfAttached<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw conflict(say`script_already_attached: This script is already attached: change that attachment.`, {
      cause: error,
    });
  }
}

/** Running backups keep the hooks that they started with. Throws AppError `not_found`. */
export function detachScript({ storage }: HooksNeeds, key: AttachmentKey): Promise<void> {
  return inTransaction(storage, async (session) => {
    const { id } = await findAttachment(session, key);
    await session.remove(repositoryScripts, { id });
  });
}

/**
 * Values replace the whole set. A secret that is sent back masked is kept. Throws AppError `not_found`,
 * `invalid`.
 */
export async function updateAttachment(
  { storage, secrets }: HooksNeeds,
  key: AttachmentKey,
  { parameter_values: given, ...rest }: AttachmentChanges,
) {
  await inTransaction(storage, async (session) => {
    const row = await findAttachment(session, key);
    const script = await findScript(session, row.script_id);
    const patch: Record<string, unknown> = Object.fromEntries(
      Object.entries(rest).filter(([, value]) => value !== undefined),
    );
    if (given !== undefined) {
      const values = sealValues(secrets, script, { given: given ?? {}, stored: row.parameter_values });
      patch.parameter_values = given === null ? null : values;
    }
    if (Object.keys(patch).length > 0) await session.update(repositoryScripts, { id: row.id }, patch);
  });
  return attachmentWritten(storage, key);
}

/** Throws AppError `not_found`. */
export async function getAttachment(
  { storage }: Pick<HooksNeeds, 'storage'>,
  caller: Caller,
  { repositoryId, attachmentId }: AttachmentKey,
) {
  const all = await viewAttachments(storage, repositoryId);
  const attachment = all.find(({ id }) => id === attachmentId);
  if (!attachment) throw attachmentUnknown({ repositoryId, attachmentId });
  return { success: true as const, attachment: viewFor(caller, attachment) };
}

/** Throws AppError `not_found`. */
export async function listAttachments({ storage }: HooksNeeds, caller: Caller, repositoryId: number) {
  const { id } = await findRepository(storage, { repository_id: repositoryId });
  const all = (await viewAttachments(storage, id)).map((each) => viewFor(caller, each));
  return {
    pre_backup: all.filter(({ hook_type }) => hook_type === 'pre-backup'),
    post_backup: all.filter(({ hook_type }) => hook_type === 'post-backup'),
  };
}

/** The attachments of a repository in execution order. */
async function viewAttachments(session: StorageSession, repositoryId: number): Promise<AttachmentView[]> {
  const rows = await session.find(repositoryScripts, {
    where: { repository_id: repositoryId },
    order: [['execution_order', 'asc']],
  });
  const ids = [...new Set(rows.map(({ script_id }) => script_id))];
  const library = new Map(
    (await session.find(scripts, { where: { id: { in: ids } } })).map((row) => [row.id, row]),
  );
  return rows.flatMap((row) => {
    const script = library.get(row.script_id);
    return script ? [attachmentView(row, script, maskValues(row.parameter_values, script.parameters))] : [];
  });
}

export interface AttachmentKey {
  repositoryId: number;
  attachmentId: number;
}

/** Throws AppError `not_found`. */
async function findAttachment(
  session: StorageSession,
  { repositoryId, attachmentId }: AttachmentKey,
): Promise<RepositoryScriptRow> {
  const where = { id: attachmentId, repository_id: repositoryId };
  const [row] = await session.find(repositoryScripts, { where, limit: 1 });
  if (!row) throw attachmentUnknown({ repositoryId, attachmentId });
  return row;
}

const attachmentUnknown = ({ repositoryId, attachmentId }: AttachmentKey) =>
  notFound(
    say`attached_script_unknown: Repository ${{ repository: repositoryId }} has no attached script ${{ id: attachmentId }}.`,
  );

/**
 * The answer to a write of an attachment. Throws AppError `not_found` when it was removed in the meantime.
 */
async function attachmentWritten(session: StorageSession, key: AttachmentKey) {
  const all = await viewAttachments(session, key.repositoryId);
  const attachment = all.find(({ id }) => id === key.attachmentId);
  if (!attachment) throw notFound(say`attached_script_removed: Another request removed the attached script.`);
  return { success: true as const, id: attachment.id, attachment };
}

/** Removes attachments whose repository or script was deleted, and runs of deleted scripts. */
export async function cleanUpOrphans({ storage }: HooksNeeds) {
  const cleaned_up = await inTransaction(storage, async (session) => {
    const known = new Set((await session.find(scripts)).map(({ id }) => id));
    const registered = new Set((await session.find(repositories)).map(({ id }) => id));
    let removed = 0;
    for (const { id, script_id, repository_id } of await session.find(repositoryScripts)) {
      if (known.has(script_id) && registered.has(repository_id)) continue;
      removed += await session.remove(repositoryScripts, { id });
    }
    const recorded = await session.aggregate(scriptRuns, {
      groupBy: ['script_id'],
      measures: { runs: { count: true } },
    });
    for (const { script_id } of recorded) {
      if (!known.has(script_id)) removed += await session.remove(scriptRuns, { script_id });
    }
    return removed;
  });
  const message = cleaned_up === 0 ? 'No leftovers were found.' : `${cleaned_up} leftovers were removed.`;
  return { success: true as const, cleaned_up, message };
}
