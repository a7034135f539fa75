import type { StorageSession } from '@holdfast/plugin-api';
import type { LeavingRepository } from '@holdfast/plugin-api/importer';
import { openValues, repositoryScripts, type ScriptRow, scripts } from '../../../backup/hooks/index.js';
import { checkSchedules } from '../../../backup/maintenance/index.js';
import type { RepositoryRow } from '../../../backup/repositories/index.js';
import {
  openSecrets,
  parseCustomFlags,
  secretsOfSources,
  shownSources,
} from '../../../backup/repositories/index.js';
import { nextInstants, parseCron, scheduleRepositories, schedules } from '../../../backup/schedules/index.js';
import { partOf } from '../../../foundation/kernel/index.js';
import {
  notificationRepositories,
  notificationSettings,
  openServiceUrl,
} from '../../../insight/notifications/index.js';
import type { SettingsNeeds } from '../needs.js';

type Needs = Pick<SettingsNeeds, 'storage' | 'secrets' | 'clock'>;
type Hook = LeavingRepository['hooks'][number];

/** The fields that an importer needs. The others contain secrets. */
const leavingSchedules = partOf(
  schedules,
  ...(['id', 'enabled', 'name', 'cron_expression', 'timezone', 'archive_name_template'] as const),
  ...(['run_prune_after', 'run_compact_after', 'prune_keep_within', 'prune_keep_hourly'] as const),
  ...(['prune_keep_daily', 'prune_keep_weekly', 'prune_keep_monthly'] as const),
  ...(['prune_keep_quarterly', 'prune_keep_yearly'] as const),
);

/** All that one file says. */
export async function readRepository(
  needs: Needs,
  row: RepositoryRow,
  secrets: boolean,
): Promise<LeavingRepository> {
  const { storage } = needs;
  const { name, path, encryption, compression, remote_path, source_directories, exclude_patterns } = row;
  const links = await storage.find(scheduleRepositories, { where: { repository_id: row.id } });
  const ids = links.map(({ schedule_id }) => schedule_id);
  const planned = await storage.find(leavingSchedules, { where: { id: { in: ids } } });
  const schedule = planned.find((each) => each.enabled && each.run_prune_after) ?? planned[0] ?? null;
  return {
    name,
    path,
    encryption,
    compression,
    remote_path,
    source_directories,
    exclude_patterns,
    sources: sourcesOf(needs, row, secrets),
    flags: parseCustomFlags(row.custom_flags),
    isObserved: row.mode === 'observe',
    isRemote: row.connection_id !== null,
    isPulled: row.source_connection_id !== null,
    schedule,
    otherSchedules: Math.max(0, planned.length - 1),
    check: await checkOf(needs, row.id),
    hooks: await hooksOf(needs, row, secrets),
    channels: await channelsOf(needs, row.id, secrets),
    passphrase: secrets ? openSecrets(needs.secrets, row).passphrase : null,
  };
}

function sourcesOf(needs: Needs, { sources }: RepositoryRow, secrets: boolean): LeavingRepository['sources'] {
  const opened = secretsOfSources(needs, sources);
  return shownSources(sources).map(({ kind, name, container, settings }) => {
    const hidden = Object.entries(opened[`${kind} ${name}`] ?? {});
    const known = hidden.map(([field, text]) => [field, secrets ? text : null]);
    return { kind, name, container, settings: { ...settings, ...Object.fromEntries(known) } };
  });
}

const dayMs = 86_400_000;

async function checkOf({ storage, clock }: Needs, repositoryId: number): Promise<LeavingRepository['check']> {
  const [row] = await storage.find(checkSchedules, { where: { repository_id: repositoryId }, limit: 1 });
  if (!row?.cron_expression) return null;
  const rule = parseCron(row.cron_expression, row.timezone);
  const next = nextInstants(rule, { after: clock.now(), count: 5 });
  const span = (next.at(-1) ?? 0) - (next[0] ?? 0);
  const everyDays = Math.max(1, Math.round(span / Math.max(1, next.length - 1) / dayMs));
  return { maxDuration: row.max_duration, verifyData: row.verify_data, everyDays };
}

async function hooksOf(needs: Needs, row: RepositoryRow, secrets: boolean): Promise<Hook[]> {
  const { storage } = needs;
  const attached = await storage.find(repositoryScripts, {
    where: { repository_id: row.id, enabled: true },
    order: [['execution_order', 'asc']],
  });
  const library = await scriptsById(
    storage,
    attached.map(({ script_id }) => script_id),
  );
  const all = attached.flatMap((each): Hook[] => {
    const script = library.get(each.script_id);
    if (!script) return [];
    const { environment, secrets: hidden } = openValues(needs.secrets, script, each.parameter_values);
    const shown = Object.entries(environment).map(([name, value]) => [
      name,
      !secrets && hidden.includes(value) ? null : value,
    ]);
    const variables = Object.fromEntries(shown) as Hook['variables'];
    const runOn = each.hook_type === 'pre-backup' ? 'always' : (each.custom_run_on ?? script.run_on);
    return [{ type: each.hook_type, runOn, content: script.content, variables }];
  });
  for (const [type, content] of [
    ['pre-backup', row.pre_backup_script],
    ['post-backup', row.post_backup_script],
  ] as const)
    if (content !== null && !all.some((each) => each.type === type))
      all.push({ type, runOn: 'always', content, variables: {} });
  return all;
}

async function scriptsById(storage: StorageSession, ids: number[]): Promise<Map<number, ScriptRow>> {
  const rows = await storage.find(scripts, { where: { id: { in: ids } } });
  return new Map(rows.map((row) => [row.id, row]));
}

async function channelsOf(
  { storage, secrets: box }: Needs,
  repositoryId: number,
  secrets: boolean,
): Promise<LeavingRepository['channels']> {
  const links = await storage.find(notificationRepositories, { where: { repository_id: repositoryId } });
  const named = new Set(links.map(({ setting_id }) => setting_id));
  const rows = await storage.find(notificationSettings, { where: { enabled: true } });
  return rows
    .filter((row) => row.monitor_all_repositories || named.has(row.id))
    .map((row) => ({
      name: row.name,
      url: secrets ? openServiceUrl(box, row) : null,
      states: [
        ...(row.notify_on_backup_start ? ['start'] : []),
        ...(row.notify_on_backup_success ? ['finish'] : []),
        ...(row.notify_on_backup_failure ? ['fail'] : []),
      ],
    }))
    .filter(({ states }) => states.length > 0);
}
