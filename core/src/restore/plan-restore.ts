import { randomUUID } from 'node:crypto';
import type { RestoreInput, RestorePlanView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { type Judged, obstaclesOf } from './stage/judge-survey.js';
import { restorePlans } from '../schema/tables.js';
import { restorePlanView } from './restore-view.js';
import { readWithTool } from '../archives/read-with-tool.js';
import type { Dependencies } from '../dependencies.js';
import { judge } from './judge.js';
import { type MadeOrder, makeOrder, type OrderNeeds } from './make-order.js';
import { atTarget } from './open-restore-target.js';
import { followArchive } from './same-archive.js';
import { surveyArchive } from './survey-archive.js';

type Needs = OrderNeeds & Pick<Dependencies, 'driver'>;

const lifeMs = 60 * 60_000;

/**
 * Says what a restore would do and keeps it for an hour, for the one who asked. Writes nothing to the target. AppErrors
 * of `makeOrder`; `conflict` while the repository is in use.
 */
export const planRestore = (needs: Needs) => {
  const make = makeOrder(needs);
  return async (caller: Caller, input: RestoreInput, signal?: AbortSignal): Promise<RestorePlanView> => {
    const made = await make(input);
    const judged = await judgeMade(needs, made, signal);
    const now = needs.clock.now();
    await needs.storage.remove(restorePlans, { expires_at: { lt: now }, job_id: null });
    const plan = await needs.storage.insert(restorePlans, {
      key: randomUUID(),
      requested_by: caller.username,
      order: made.order,
      stamps: judged.survey.stamps,
      obstacles: obstaclesOf(judged),
      expires_at: now + lifeMs,
    });
    return restorePlanView(plan, made.repository, judged);
  };
};

const judgeMade = (needs: Needs, { order, repository }: MadeOrder, signal?: AbortSignal): Promise<Judged> =>
  atTarget(needs, order.destinationConnectionId, async (place) => {
    const survey = await readWithTool(needs)(repository, {
      what: `restore plan of archive ${order.archive}`,
      signal,
      work: async (target, options) => {
        const [followed, surveyed] = await Promise.allSettled([
          followArchive(needs, { order, target, options }),
          surveyArchive(needs.driver, { target, order, options, place }),
        ]);
        if (followed.status === 'rejected') throw followed.reason;
        if (surveyed.status === 'rejected') throw surveyed.reason;
        return surveyed.value;
      },
    });
    return judge(needs, { survey, order, place });
  });
