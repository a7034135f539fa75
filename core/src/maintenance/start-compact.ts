import type { Caller } from '../kernel/caller.rules.js';
import type { CompactParameters } from './maintenance-job.rules.js';
import { type StartNeeds, startByHand } from './start-by-hand.js';

/** AppError as `startByHand`. */
export const startCompact = (needs: StartNeeds) => async (caller: Caller, repositoryId: number) => {
  const parameters: CompactParameters = { scheduleId: null, backupJobId: null, pruneFailed: false };
  return startByHand(needs)(caller, {
    ...{ kind: 'compact', what: 'Compact', repositoryId, parameters, writes: true },
  });
};
