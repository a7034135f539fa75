import type { ApiTokenView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { tokens } from '../schema/tables.js';
import { apiTokenView } from './api-token-view.js';
import type { Dependencies } from '../dependencies.js';

/** The caller's own API tokens; sessions of logins are not among them. */
export const listTokens =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (caller: Caller): Promise<{ success: true; tokens: ApiTokenView[] }> => {
    const rows = await storage.find(tokens, { where: { user_id: caller.userId, kind: 'api' } });
    return { success: true, tokens: rows.map(apiTokenView) };
  };
