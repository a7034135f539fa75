import type { ProtectionReport } from '@holdfast/contracts';
import { type ProtectionState, protectionStates } from './protection.rules.js';
import { protectionView } from './protection-view.js';
import type { Dependencies } from '../dependencies.js';
import { readMetricFacts } from './metric-facts.js';
import { readOldLists } from './read-old-lists.js';

type Needs = Parameters<typeof readOldLists>[0] & Pick<Dependencies, 'storage' | 'clock'>;

/** Says of each repository whether its newest archive is young enough, and why. */
export const getProtection = (needs: Needs) => {
  const readLists = readOldLists(needs);
  return async (): Promise<ProtectionReport> => {
    await readLists();
    const { now, repositories } = await readMetricFacts(needs);
    const count = (state: ProtectionState) =>
      repositories.filter(({ protection }) => protection.state === state).length;
    const [kept, late, unknown] = protectionStates.map(count) as [number, number, number];
    return {
      success: true,
      as_of: new Date(now).toISOString(),
      summary: { protected: kept, late, unknown },
      repositories: repositories.map((facts) => protectionView(facts, now)),
    };
  };
};
