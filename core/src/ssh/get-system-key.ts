import type { Dependencies } from '../dependencies.js';
import { findSystemKey } from './system-key.js';
import { viewKey } from './view-key.js';

export const getSystemKey =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async () => {
    const key = await findSystemKey(storage);
    const ssh_key = key ? await viewKey(storage, key) : null;
    return { success: true as const, exists: key !== null, ssh_key };
  };
