import { HoldfastError, isError, outdate, randomKey, write } from '../../api/api.js';
import { cronOf } from '../schedules/plan.rules.js';
import { customFlags, type Draft, excludePatterns, repositoryPath, type Secrets } from './draft.rules.js';
import { changeProgress, draft as draftStore, progress, secrets as secretStore } from './wizard.js';

/** Makes everything in order and goes on where it was. @returns the job of the first backup. */
export async function make(): Promise<number> {
  const draft = draftStore.get();
  const secrets = secretStore.get();
  const repositoryId = progress.get().repositoryId ?? (await makeRepository(draft, secrets));
  const scheduleId = progress.get().scheduleId ?? (await makeSchedule(draft, repositoryId));
  for (const test of ['checks', 'drills'] as const)
    if (draft[test] && !progress.get()[test]) await plan(test, draft, repositoryId);
  if (secrets.channelUrl !== '' && !progress.get().hasChannel) await makeChannel(draft, secrets);
  const job = await startBackup(scheduleId);
  outdate(
    '/api/recovery-sheet',
    '/api/repositories',
    '/api/schedule',
    '/api/overview',
    '/api/notifications',
    '/api/jobs',
  );
  return job;
}

async function makeRepository(draft: Draft, { passphrase, databases }: Secrets): Promise<number> {
  const body = {
    name: draft.name,
    path: repositoryPath(draft),
    passphrase,
    connection_id: draft.connection,
    source_directories: draft.sources,
    source_connection_id: draft.sourceConnection,
    sources: databases,
    exclude_patterns: excludePatterns(draft),
    custom_flags: customFlags(draft),
  };
  const { repository } = await once('repository', (key) =>
    write('POST', '/api/repositories/', { body: body as never, key }),
  );
  changeProgress({ repositoryId: repository.id });
  // The wizard continued only with a saved sheet, or with the passphrase stored elsewhere.
  if (draft.hasSheet)
    await write('POST', '/api/recovery-sheet/saved', { body: { repository_id: repository.id } });
  return repository.id;
}

async function makeSchedule(draft: Draft, repositoryId: number): Promise<number> {
  const body = (name: string) => ({
    name,
    cron_expression: cronOf(draft.timing),
    timezone: draft.zone,
    repository_ids: [repositoryId],
    run_repository_scripts: true,
    run_prune_after: draft.prunes,
    run_compact_after: draft.prunes,
    ...draft.rules,
  });
  const create = (name: string) =>
    once(`schedule ${name}`, (key) => write('POST', '/api/schedule/', { body: body(name) as never, key }));
  // Another schedule may have the name of the repository.
  const { job } = await create(draft.name).catch((error: unknown) => {
    if (isError(error, 409) && error.retryAfter === undefined)
      return create(`${draft.name} (${repositoryId})`);
    throw error;
  });
  changeProgress({ scheduleId: job.id });
  return job.id;
}

const plans = {
  checks: ['/api/repositories/{repo_id}/check-schedule', '0 4 * * 0'],
  drills: ['/api/repositories/{repo_id}/drill-schedule', '0 5 1 * *'],
} as const;

async function plan(test: keyof typeof plans, { zone }: Draft, repo_id: number): Promise<void> {
  const [path, cron_expression] = plans[test];
  await write('PUT', path, { path: { repo_id }, body: { cron_expression, timezone: zone } });
  changeProgress({ [test]: true });
}

async function makeChannel({ flags }: Draft, { channelUrl, channelName }: Secrets): Promise<void> {
  const isOn = (flag: Draft['flags'][number]) => flags.includes(flag);
  const body = {
    name: channelName.trim(),
    service_url: channelUrl,
    monitor_all_repositories: true,
    notify_on_backup_success: false,
    notify_on_backup_failure: isOn('failed'),
    notify_on_check_failure: isOn('failed'),
    notify_on_schedule_failure: isOn('failed'),
    notify_on_restore_failure: isOn('failed'),
    notify_on_backup_late: isOn('late'),
    notify_on_backup_on_time_again: isOn('again'),
    notify_on_damaged: true,
    notify_on_retention_paused: true,
    notify_on_report_weekly: isOn('weekly'),
  };
  await once('channel', (key) => write('POST', '/api/notifications', { body: body as never, key }));
  changeProgress({ hasChannel: true });
}

/**
 * Starts it through the schedule: the archive of a manual backup would belong to no schedule and never be
 * pruned.
 */
async function startBackup(scheduleId: number): Promise<number> {
  const path = { job_id: scheduleId };
  const { job_id } = await once('backup', (key) =>
    write('POST', '/api/schedule/{job_id}/run-now', { path, key }),
  );
  return job_id;
}

/**
 * With a key that is kept until the server has refused for good, so that a call whose answer was lost is never done
 * twice.
 */
async function once<T>(name: string, call: (key: string) => Promise<T>): Promise<T> {
  const { keys } = progress.get();
  const key = keys[name] ?? randomKey();
  changeProgress({ keys: { ...keys, [name]: key } });
  try {
    return await call(key);
  } catch (error) {
    if (isRefusal(error)) {
      const { [name]: _, ...others } = progress.get().keys;
      changeProgress({ keys: others });
    }
    throw error;
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof HoldfastError &&
  [400, 403, 404, 409, 422].includes(error.status) &&
  error.retryAfter === undefined;
