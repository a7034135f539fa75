import type { Dependencies } from '../dependencies.js';
import { findSystemKey } from './system-key.js';
import { viewKey } from './view-key.js';

export const listKeys =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async () => {
    const key = await findSystemKey(storage);
    return { success: true as const, ssh_keys: key ? [await viewKey(storage, key)] : [] };
  };
