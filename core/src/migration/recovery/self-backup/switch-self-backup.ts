import { join } from 'node:path';
import { newRepository, newSchedule, type SelfBackupChange, serviceZone } from '@holdfast/contracts';
import { createRepository, type RepositoryRow, repositories } from '../../../backup/repositories/index.js';
import {
  createSchedule,
  plannedCron,
  runScheduleNow,
  schedules,
  tidyCron,
  updateSchedule,
} from '../../../backup/schedules/index.js';
import { pathOf } from '../../../backup/ssh/index.js';
import { type Caller, conflict, inTurn, say, withoutEndSlash } from '../../../foundation/kernel/index.js';
import type { RecoveryNeeds } from '../needs.js';
import { copiesOf } from './copy.fs.js';
import { makeOwnFolder } from './own-folder.fs.js';
import { newPassphrase } from './passphrase.js';
import { suggestPlace } from './place.js';
import { findOwn, getSelfBackup } from './self-backup-view.js';

const ownName = 'Holdfast itself';
const daily = '15 1 * * *';

/**
 * Turns the self-backup on, creating its repository and schedule if missing, or off, which keeps both. Safe
 * to repeat. Throws AppError `conflict` for another path than that of the repository, and the errors of
 * creating a repository.
 */
export const putSelfBackup = (needs: RecoveryNeeds) => {
  // Two calls at once would both find nothing and make two repositories.
  const oneByOne = inTurn();
  return async (caller: Caller, input: SelfBackupChange) => {
    const { schedule } = await findOwn(needs.storage);
    if (!input.enabled) await switchOff(needs, caller);
    else if (schedule) await switchOn(needs, caller, input);
    else await oneByOne(() => switchOn(needs, caller, input));
    return getSelfBackup(needs);
  };
};

async function switchOn(needs: RecoveryNeeds, caller: Caller, input: SelfBackupChange): Promise<void> {
  const { storage } = needs;
  copiesOf(storage);
  const { repository, schedule } = await findOwn(storage);
  if (repository) refuseOtherPlace(needs.settings, repository, input);
  const { cron_expression, timezone } = input;
  const plan = {
    ...(cron_expression !== undefined && { cron_expression }),
    ...(timezone !== undefined && { timezone }),
  };
  const planned = { cron_expression: daily, timezone: serviceZone(), ...plan };
  // Before there is a repository that nothing would back up into.
  plannedCron({ ...planned, cron_expression: tidyCron(planned.cron_expression) });
  const repository_id = repository?.id ?? (await makeRepository(needs, input));
  if (schedule) {
    await updateSchedule(needs, caller, schedule.id, { ...plan, enabled: true });
    return;
  }
  const given = newSchedule.parse({
    name: await freeName((name) => storage.find(schedules, { where: { name }, limit: 1 })),
    ...planned,
    repository_ids: [repository_id],
    run_prune_after: true,
    run_compact_after: true,
    prune_keep_daily: 7,
    prune_keep_weekly: 4,
    prune_keep_monthly: 6,
    prune_keep_yearly: 0,
  });
  const { job } = await createSchedule(needs, given);
  // Not only tonight: until the first copy, nothing would come back.
  await runScheduleNow(needs, caller, job.id);
}

async function switchOff(needs: RecoveryNeeds, caller: Caller): Promise<void> {
  const { schedule } = await findOwn(needs.storage);
  if (schedule?.enabled) await updateSchedule(needs, caller, schedule.id, { enabled: false });
}

function refuseOtherPlace(
  { dataDirectory }: RecoveryNeeds['settings'],
  { path, connection_id }: RepositoryRow,
  { path: other, connection_id: otherConnection }: SelfBackupChange,
): void {
  const moves = otherConnection !== undefined && otherConnection !== connection_id;
  const given = withoutEndSlash(other?.trim() ?? path);
  const same = [given, `/${given}`, join(dataDirectory, given)];
  if (!moves && (given === path || same.includes(pathOf(path)))) return;
  throw conflict(
    say`self_backup_exists: Holdfast already backs itself up to ${{ path }}: change the location in the settings of that repository, or remove it from Holdfast first.`,
  );
}

async function makeRepository(needs: RecoveryNeeds, input: SelfBackupChange): Promise<number> {
  const { storage, settings } = needs;
  const source = await makeOwnFolder(settings.dataDirectory);
  const given = newRepository.parse({
    name: await freeName((name) => storage.find(repositories, { where: { name }, limit: 1 })),
    path: input.path ?? (await suggestPlace(needs)),
    connection_id: input.connection_id ?? null,
    remote_path: input.remote_path ?? null,
    encryption: 'repokey-blake2',
    passphrase: newPassphrase(),
    source_directories: [source],
  });
  const { repository } = await createRepository(needs, given, { selfBackup: true });
  return repository.id;
}

async function freeName(find: (name: string) => Promise<readonly unknown[]>): Promise<string> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? ownName : `${ownName} ${n}`;
    if ((await find(name)).length === 0) return name;
  }
}
