import type { RestoreOrder } from './restore.rules.js';
import type { Judged } from './stage/judge-survey.js';
import type { Survey } from './stage/survey.js';
import type { RestoreTarget } from './stage/target.js';
import { freeBytes } from './stage/target-files.js';
import type { Dependencies } from '../dependencies.js';

interface Surveyed {
  survey: Survey;
  order: RestoreOrder;
  place: RestoreTarget;
}

/** What else counts before a restore: room, and a place for the working folder. One in a reserved place is an obstacle. */
export async function judge(
  { settings }: Pick<Dependencies, 'settings'>,
  { survey, order, place }: Surveyed,
): Promise<Judged> {
  const parent = await survey.stagingParent();
  const holder = place.reserved.holderOf(`${parent}/.`, false);
  if (holder) survey.blocked.add({ path: parent, reason: `the working folder would be in ${holder}` });
  const away = (order.destinationConnectionId ?? null) !== null;
  return {
    survey,
    order,
    parent,
    freeBytes: await place.freeBytes(parent),
    freeHere: away ? await freeBytes(settings.dataDirectory) : null,
    canSetOwners: place.canSetOwners,
  };
}
