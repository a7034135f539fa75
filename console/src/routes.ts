import Home from './screens/home/home.js';
import { route } from './shell/router.js';

const forAdmins = true;

/** Each screen: its address, its page of the documentation, and where it is loaded from. */
export const routes = [
  // The first page comes with the script: it is worth a round trip.
  route('/', 'admin/monitoring.html#protection', async () => ({ default: Home })),
  route('/repositories', 'guides/storage.html', () => import('./screens/repositories/list.js')),
  route('/repositories/:id', 'guides/verify.html', () => import('./screens/repositories/overview.js')),
  route(
    '/repositories/:id/maintenance',
    'guides/verify.html',
    () => import('./screens/repositories/maintenance/maintenance.js'),
  ),
  route(
    '/repositories/:id/drills',
    'guides/verify.html#restore-drills',
    () => import('./screens/repositories/drills/drills.js'),
  ),
  route(
    '/repositories/:id/drills/:drill',
    'guides/verify.html#restore-drills',
    () => import('./screens/repositories/drills/evidence.js'),
  ),
  route('/repositories/:id/archives', 'guides/restore.html', () => import('./screens/archives/archives.js')),
  route('/repositories/:id/compare', 'guides/restore.html', () => import('./screens/archives/compare.js')),
  route('/repositories/:id/history', 'guides/restore.html', () => import('./screens/archives/history.js')),
  route(
    '/repositories/:id/browse/:archive/*',
    'guides/restore.html',
    () => import('./screens/browse/browse.js'),
  ),
  route('/restore', 'guides/restore.html', () => import('./screens/restore/restore.js')),
  route('/schedules', 'guides/schedules.html', () => import('./screens/schedules/schedules.js')),
  route('/schedules/new', 'guides/schedules.html', () => import('./screens/schedules/editor.js'), forAdmins),
  route(
    '/schedules/:id/edit',
    'guides/schedules.html',
    () => import('./screens/schedules/editor.js'),
    forAdmins,
  ),
  route('/schedules/:id', 'guides/schedules.html', () => import('./screens/schedules/schedule.js')),
  route('/activity', 'guides/troubleshooting.html', () => import('./screens/activity/jobs.js')),
  route('/activity/:job', 'guides/troubleshooting.html', () => import('./screens/activity/job.js')),
  route(
    '/repositories/:id/settings',
    'guides/sources.html',
    () => import('./screens/repositories/settings/settings.js'),
    forAdmins,
  ),
  route('/add', 'start/first-backup.html', () => import('./screens/add/add.js'), forAdmins),
  route('/welcome', 'start/first-backup.html', () => import('./screens/add/add.js'), forAdmins),
  route('/settings', 'index.html', () => import('./screens/settings/settings.js')),
  route(
    '/settings/notifications',
    'guides/notifications.html',
    () => import('./screens/settings/notifications/notifications.js'),
  ),
  route(
    '/settings/notifications/new',
    'guides/notifications.html',
    () => import('./screens/settings/notifications/new-channel.js'),
    forAdmins,
  ),
  route(
    '/settings/notifications/:id',
    'guides/notifications.html',
    () => import('./screens/settings/notifications/channel.js'),
  ),
  route(
    '/settings/incidents',
    'guides/notifications.html#incidents',
    () => import('./screens/settings/incidents/incidents.js'),
  ),
  route(
    '/settings/incidents/:id',
    'guides/notifications.html#incidents',
    () => import('./screens/settings/incidents/incident.js'),
  ),
  route(
    '/settings/hosts',
    'guides/sources.html#back-up-another-host',
    () => import('./screens/settings/hosts/hosts.js'),
  ),
  route(
    '/settings/hosts/new',
    'guides/sources.html#back-up-another-host',
    () => import('./screens/settings/hosts/new-host.js'),
    forAdmins,
  ),
  route(
    '/settings/hosts/key',
    'admin/users-and-security.html#ssh-key-and-host-keys',
    () => import('./screens/settings/hosts/key.js'),
    forAdmins,
  ),
  route(
    '/settings/hosts/:id',
    'guides/sources.html#back-up-another-host',
    () => import('./screens/settings/hosts/host.js'),
  ),
  route(
    '/settings/source-sets',
    'guides/sources.html#source-sets',
    () => import('./screens/settings/sources/source-sets.js'),
  ),
  route(
    '/settings/source-sets/new',
    'guides/sources.html#source-sets',
    () => import('./screens/settings/sources/new-source-set.js'),
    forAdmins,
  ),
  route(
    '/settings/source-sets/:id',
    'guides/sources.html#source-sets',
    () => import('./screens/settings/sources/source-set.js'),
  ),
  route(
    '/settings/scripts',
    'guides/sources.html#scripts-and-databases',
    () => import('./screens/settings/scripts/scripts.js'),
  ),
  route(
    '/settings/scripts/new',
    'guides/sources.html#scripts-and-databases',
    () => import('./screens/settings/scripts/new-script.js'),
    forAdmins,
  ),
  route(
    '/settings/scripts/:id',
    'guides/sources.html#scripts-and-databases',
    () => import('./screens/settings/scripts/script.js'),
  ),
  route(
    '/settings/moving-in',
    'start/import.html',
    () => import('./screens/settings/moving-in/moving-in.js'),
    forAdmins,
  ),
  route(
    '/settings/moving-in/borgmatic',
    'start/import.html#borgmatic',
    () => import('./screens/settings/moving-in/borgmatic.js'),
    forAdmins,
  ),
  route(
    '/settings/moving-in/settings-file',
    'start/import.html#settings-as-a-file',
    () => import('./screens/settings/moving-in/settings-file.js'),
    forAdmins,
  ),
  route(
    '/settings/people',
    'admin/users-and-security.html',
    () => import('./screens/settings/people/people.js'),
  ),
  route(
    '/settings/recovery',
    'guides/lost-server.html',
    () => import('./screens/settings/recovery/recovery.js'),
    forAdmins,
  ),
  route(
    '/settings/audit',
    'admin/users-and-security.html#audit-trail',
    () => import('./screens/settings/audit/audit.js'),
    forAdmins,
  ),
  route('/settings/system', 'admin/configuration.html', () => import('./screens/settings/system/system.js')),
  route('/password', 'admin/users-and-security.html', () => import('./screens/sign-in/password.js')),
  route('/components', 'index.html', () => import('./screens/components/components.js')),
];
