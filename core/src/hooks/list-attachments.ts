import type { Caller } from '../kernel/caller.rules.js';
import { withoutTexts } from './script-view.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository } from '../repositories/find-repository.js';
import { viewAttachments } from './view-attachments.js';

/** AppError `not_found`. */
export const listAttachments =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (caller: Caller, repositoryId: number) => {
    const { id } = await findRepository(storage, { repository_id: repositoryId });
    const all = (await viewAttachments(storage, id)).map((each) => withoutTexts(caller, each));
    return {
      pre_backup: all.filter(({ hook_type }) => hook_type === 'pre-backup'),
      post_backup: all.filter(({ hook_type }) => hook_type === 'post-backup'),
    };
  };
