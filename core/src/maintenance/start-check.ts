import type { CheckInput } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import type { CheckParameters } from './maintenance-job.rules.js';
import { invalid } from '../kernel/errors.js';
import type { Dependencies } from '../dependencies.js';
import { cannotCheck } from './run-check.js';
import { type StartNeeds, startByHand } from './start-by-hand.js';

type Needs = StartNeeds & Pick<Dependencies, 'driver'>;

/** AppError as `startByHand`. Observed repositories are checked too: it only reads. */
export const startCheck =
  (needs: Needs) =>
  async (caller: Caller, repositoryId: number, input: Partial<CheckInput> = {}) => {
    if (!needs.driver.check) throw invalid(cannotCheck);
    const { max_duration: maxSeconds = 0, verify_data: verifyData = false } = input;
    const parameters: CheckParameters = { maxSeconds, verifyData, repair: false, plannedAt: null };
    const what = maxSeconds > 0 ? 'Partial check' : 'Check';
    return startByHand(needs)(caller, { kind: 'check', what, repositoryId, parameters, writes: false });
  };

/** AppError as `startByHand`, and `invalid` when the name that was typed in is not the repository's. */
export const startRepair =
  (needs: Needs) =>
  async (caller: Caller, repositoryId: number, { confirm_name }: { confirm_name: string }) => {
    if (!needs.driver.check) throw invalid(cannotCheck);
    const parameters: CheckParameters = { maxSeconds: 0, verifyData: false, repair: true, plannedAt: null };
    return startByHand(needs)(caller, {
      ...{ kind: 'check', what: 'Repair', repositoryId, parameters, writes: true },
      refuse: (_, { name }) => {
        if (confirm_name === name) return;
        throw invalid(
          'confirm_name is not the name of this repository: type it in exactly, if you are sure. A repair may lose data.',
        );
      },
    });
  };
