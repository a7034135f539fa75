/**
 * What a user interface does beside the main job, each with its own line of output:
 *
 *     node dist/tour.js <repository> <folder> <destination>
 *
 * signs in with a session as a browser does, measures a folder, saves it by a schedule without a time, takes an archive
 * made by hand into the retention of that schedule, shows what a first page shows, downloads and restores the folder,
 * and removes the registration and brings it back.
 */
import { answer, downloadAddress } from '@holdfast/client';
import { client, endedJob, passphrase } from './session.js';

const [path = '', folder = '', destination = ''] = process.argv.slice(2);
const inside = folder.replace(/^\//, '');

const me = await answer(client.GET('/api/auth/me'));
console.log(`Signed in as ${me.username}.`);

const { items } = await answer(client.GET('/api/filesystem/browse', { params: { query: { path: folder } } }));
const measured = await answer(
  client.POST('/api/preflight', { body: { source_directories: [folder], path } }),
);
console.log(`${folder} shows ${items.length} entries; ${measured.files} files have ${measured.bytes} bytes.`);

const set = await answer(
  client.POST('/api/source-sets', { body: { name: `Set of ${path}`, source_directories: [folder] } }),
);
const created = await answer(
  client.POST('/api/repositories/', {
    body: { name: `Tour ${path}`, path, passphrase, source_set_id: set.source_set.id, freshness_hours: 48 },
  }),
);
const repository_id = created.repository.id;
console.log(`Repository ${repository_id} saves ${created.repository.source_directories.join()}.`);

const { job: schedule } = await answer(
  client.POST('/api/schedule/', {
    body: {
      name: `By hand ${path}`,
      cron_expression: '',
      repository_id,
      run_prune_after: true,
      prune_keep_within: '30d',
    },
  }),
);
const scheduleId = { params: { path: { job_id: schedule.id } } };
const { job_id } = await answer(client.POST('/api/schedule/{job_id}/run-now', scheduleId));
await endedJob(job_id);
const byHand = await answer(client.POST('/api/backup/start', { body: { repository_id } }));
const { about } = await endedJob(byHand.job_id);
const archive = about.archive ?? '';
const { jobs } = await answer(
  client.GET('/api/jobs', { params: { query: { kind: 'backup', repository_id, limit: 10 } } }),
);
console.log(`${jobs.length} backups: one of schedule ${schedule.id}, one by hand.`);

const choice = { repository_id, archives: [archive] };
const adopted = await answer(client.POST('/api/schedule/{job_id}/adopt', { ...scheduleId, body: choice }));
const preview = await answer(
  client.POST('/api/schedule/preview', {
    body: { cron_expression: '0 2 * * *', prune_keep_within: '30d', repository_id, schedule_id: schedule.id },
  }),
);
await answer(client.DELETE('/api/schedule/{job_id}/adopt', { ...scheduleId, body: choice }));
console.log(`Adopted ${adopted.archives.length}; the preview keeps ${preview.kept_count} archives.`);

const overview = await answer(client.GET('/api/overview'));
const mine = overview.repositories.find(({ id }) => id === repository_id);
const growth = await answer(
  client.GET('/api/repositories/{repo_id}/history', { params: { path: { repo_id: repository_id } } }),
);
const samples = 'samples' in growth ? growth.samples : [];
const days = await answer(client.GET('/api/history/days', { params: { query: { days: 7, repository_id } } }));
const strip = days.repositories[0]?.days ?? '';
console.log(
  `It is ${mine?.status}, with ${samples.length} samples; its last ${strip.length} days are known.`,
);

const { incidents } = await answer(client.GET('/api/incidents', { params: { query: { repository_id } } }));
const services = await answer(client.GET('/api/notifications/services'));
console.log(`${incidents.length} incidents; ${services.length} services can tell about them.`);

const address = await downloadAddress(client, '/api/archives/download', {
  query: { repository_id, archive, file_path: inside, format: 'zip' },
});
const zip = await (await fetch(address)).arrayBuffer();
console.log(`The folder as zip begins with ${Buffer.from(zip).toString('latin1', 0, 2)}.`);

const plan = await answer(
  client.POST('/api/restore/plan', {
    body: { repository_id, archive, paths: [inside], destination, layout: 'selection' },
  }),
);
const restore = await answer(client.POST('/api/restore/start', { body: { plan_id: plan.plan_id } }));
await endedJob(restore.job_id);
console.log(`Restored ${plan.files} files to ${destination}.`);

const itself = { params: { path: { repo_id: repository_id } } };
const removed = await answer(client.DELETE('/api/repositories/{repo_id}', itself));
const again = await answer(
  client.POST('/api/repositories/import', {
    body: { name: `Tour ${path}`, path, passphrase, source_set_id: set.source_set.id, freshness_hours: 48 },
  }),
);
const which = again.repository.id === repository_id ? 'the same' : 'another';
const stopped = removed.switched_off.schedules.length;
console.log(`Removed, which stopped ${stopped} schedule; back as ${which} one.`);
