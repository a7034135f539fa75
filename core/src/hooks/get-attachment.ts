import type { Caller } from '../kernel/caller.rules.js';
import { notFound } from '../kernel/errors.js';
import { withoutTexts } from './script-view.js';
import type { Dependencies } from '../dependencies.js';
import { type AttachmentKey, viewAttachments } from './view-attachments.js';

/** AppError `not_found`. */
export const getAttachment =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (caller: Caller, { repositoryId, attachmentId }: AttachmentKey) => {
    const all = await viewAttachments(storage, repositoryId);
    const attachment = all.find(({ id }) => id === attachmentId);
    if (!attachment) throw notFound(`Repository ${repositoryId} has no attached script ${attachmentId}.`);
    return { success: true as const, attachment: withoutTexts(caller, attachment) };
  };
