import type { Dependencies } from '../dependencies.js';
import { findRepository } from '../shared/find-repository.js';
import { viewAttachments } from './view-attachments.js';

/** AppError `not_found`. */
export const listAttachments =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (repositoryId: number) => {
    const { id } = await findRepository(storage, { repository_id: repositoryId });
    const all = await viewAttachments(storage, id);
    return {
      pre_backup: all.filter(({ hook_type }) => hook_type === 'pre-backup'),
      post_backup: all.filter(({ hook_type }) => hook_type === 'post-backup'),
    };
  };
