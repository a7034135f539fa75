import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeSource } from './files.mjs';

export const passphrase = 'a passphrase for trying it out';
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * The repositories, in the order of their ids. Those with a `host` are on hosts that do not exist: all that the
 * service knows about them is what it remembers.
 */
export const repositories = [
  { name: 'Documents', source: 'documents', schedule: 'Nightly' },
  { name: 'Website', source: 'website', schedule: 'Nightly' },
  { name: 'Mail server', source: 'mail', schedule: 'Nightly' },
  { name: 'Databases', source: 'databases', schedule: 'Nightly' },
  { name: 'Accounting', source: 'accounting', freshness_hours: 24 * 32 },
  { name: 'Photos', source: 'photos', schedule: 'Photos', host: 'nas.example', size: 412e9, files: 148_211 },
  {
    name: 'Off-site copy',
    source: 'offsite',
    schedule: 'Off-site',
    host: 'web.example',
    size: 236e9,
    files: 61_904,
  },
];

export const schedules = [
  { name: 'Nightly', cron: '0 2 * * *', daily: 7, weekly: 4, monthly: 12 },
  { name: 'Photos', cron: '30 3 * * *', daily: 7, weekly: 4, monthly: 6 },
  { name: 'Off-site', cron: '0 5 * * 0', daily: 0, weekly: 8, monthly: 12 },
];

export const checks = '0 6 * * 6';
export const drills = '0 9 1 * *';

export const hosts = [
  { host: 'nas.example', username: 'backup', total: 4e12, used: 0.46 },
  { host: 'web.example', username: 'holdfast', total: 1e12, used: 0.31 },
];

/** Makes everything over the API, and has the service do each kind of work once. */
export async function makeWorld(api, { folder, sink, now }) {
  const at = { share: 0, at: now, turn: 0 };
  const sourceOf = (name) => join(folder, 'files', name);
  for (const { source } of repositories) writeSource(sourceOf(source), source, at);
  mkdirSync(join(folder, 'repositories'), { recursive: true });
  await api.post('/api/auth/users', { username: 'backup-operator', password: 'an operator to try out' });
  await api.post('/api/auth/users', { username: 'auditor', password: 'an auditor to try out' });
  await api.post('/api/auth/tokens', { name: 'Monitoring', read_only: true });
  const set = await api.post('/api/source-sets', {
    name: 'Office',
    source_directories: [sourceOf('documents')],
    exclude_patterns: ['*.tmp', '*/.cache'],
  });
  for (const { name, source, freshness_hours } of repositories) {
    await api.post('/api/repositories/', {
      name,
      passphrase,
      path: join(folder, 'repositories', source),
      ...(source === 'documents'
        ? { source_set_id: set.source_set?.id ?? set.id }
        : { source_directories: [sourceOf(source)] }),
      ...(freshness_hours && { freshness_hours }),
    });
  }
  for (const { name, cron, daily, weekly, monthly } of schedules) {
    const members = repositories.flatMap(({ schedule }, n) => (schedule === name ? [n + 1] : []));
    await api.post('/api/schedule/', {
      name,
      cron_expression: cron,
      timezone: zone,
      repository_ids: members,
      archive_name_template: '{repo_name}-{now}',
      run_prune_after: true,
      run_compact_after: name !== 'Photos',
      prune_keep_daily: daily,
      prune_keep_weekly: weekly,
      prune_keep_monthly: monthly,
      prune_keep_yearly: 0,
    });
  }
  for (const id of repositories.keys()) {
    const plan = (cron_expression) => ({ timezone: zone, cron_expression });
    await api.put(`/api/repositories/${id + 1}/check-schedule`, { ...plan(checks), max_duration: 0 });
    await api.put(`/api/repositories/${id + 1}/drill-schedule`, plan(drills));
  }
  const { ssh_key: key } = await api.post('/api/ssh-keys/generate', {
    name: 'Holdfast',
    key_type: 'ed25519',
  });
  for (const { host, username } of hosts) {
    await api.post(`/api/ssh-keys/${key.id}/test-connection`, { host, username, port: 22 });
  }
  await api.post('/api/notifications', {
    name: 'Team chat',
    service_url: `json://127.0.0.1:${sink}/team`,
    notify_on_backup_late: true,
    notify_on_backup_on_time_again: true,
    notify_on_incident: true,
    notify_on_report_weekly: true,
  });
  await api.post('/api/notifications', {
    name: 'On-call mail',
    service_url: 'mailto://127.0.0.1:9?from=holdfast@demo.example&to=on-call@demo.example',
    enabled: false,
  });
  await work(api, folder);
}

/** What needs the year: sheets name the locations of repositories, and a restore takes the newest archive. */
export async function finishWorld(api, folder) {
  for (const id of repositories.keys())
    await api.post('/api/recovery-sheet/saved', { repository_id: id + 1 });
  const { archives } = await api.get('/api/archives/list?repository_id=1&known_only=true');
  await api.post('/api/restore/start', {
    repository_id: 1,
    archive: archives.at(-1).name,
    paths: [join(folder, 'files', 'documents', 'letters').slice(1)],
    destination: join(folder, 'restored'),
    layout: 'selection',
  });
  await allDone(api);
}

/** Each kind of job at least once, and a drill of each repository. */
async function work(api, folder) {
  await api.post('/api/schedule/3/run-now');
  for (const { source, schedule } of repositories)
    if (schedule !== 'Off-site')
      await api.post('/api/backup/start', { repository: join(folder, 'repositories', source) });
  await allDone(api);
  await api.post('/api/repositories/2/check', {});
  for (const id of repositories.keys()) await api.post(`/api/repositories/${id + 1}/drill`, {});
  await allDone(api);
}

async function allDone(api) {
  for (;;) {
    const { jobs } = await api.get('/api/jobs?limit=100');
    if (jobs.every(({ completed_at }) => completed_at !== null)) return;
    await pause(100);
  }
}
