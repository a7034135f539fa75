import type { AttachmentView } from '@holdfast/contracts';
import { maskValues } from './script.rules.js';
import { notFound } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { type RepositoryScriptRow, repositoryScripts, scripts } from '../schema/tables.js';
import { attachmentView } from './script-view.js';

/** The attachments of a repository in the order of their runs. */
export async function viewAttachments(
  session: StorageSession,
  repositoryId: number,
): Promise<AttachmentView[]> {
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

/** AppError `not_found`. */
export async function findAttachment(
  session: StorageSession,
  { repositoryId, attachmentId }: AttachmentKey,
): Promise<RepositoryScriptRow> {
  const where = { id: attachmentId, repository_id: repositoryId };
  const [row] = await session.find(repositoryScripts, { where, limit: 1 });
  if (!row) throw notFound(`Repository ${repositoryId} has no attached script ${attachmentId}.`);
  return row;
}

/** What a write of an attachment answers. AppError `not_found` when it was removed meanwhile. */
export async function attachmentWritten(session: StorageSession, key: AttachmentKey) {
  const all = await viewAttachments(session, key.repositoryId);
  const attachment = all.find(({ id }) => id === key.attachmentId);
  if (!attachment) throw notFound('The attached script was removed meanwhile.');
  return { success: true as const, id: attachment.id, attachment };
}
