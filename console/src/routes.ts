import Home from './screens/home/home.js';
import { route } from './shell/router.js';

const forAdmins = true;

/** Each screen: its address, the areas of messages it uses, and where it is loaded from. */
export const routes = [
  // The first page comes with the script: it is worth a round trip.
  route('/', ['home'], async () => ({ default: Home })),
  route('/repositories', ['repository', 'home'], () => import('./screens/repositories/list.js')),
  route('/repositories/:id', ['repository', 'home'], () => import('./screens/repositories/overview.js')),
  route(
    '/repositories/:id/maintenance',
    ['repository', 'maintenance'],
    () => import('./screens/repositories/maintenance/maintenance.js'),
  ),
  route(
    '/repositories/:id/drills',
    ['repository', 'maintenance', 'drills'],
    () => import('./screens/repositories/drills/drills.js'),
  ),
  route(
    '/repositories/:id/drills/:drill',
    ['repository', 'activity', 'drills'],
    () => import('./screens/repositories/drills/evidence.js'),
  ),
  route(
    '/repositories/:id/archives',
    ['repository', 'archives', 'maintenance'],
    () => import('./screens/archives/archives.js'),
  ),
  route('/repositories/:id/compare', ['archives'], () => import('./screens/archives/compare.js')),
  route('/repositories/:id/history', ['archives'], () => import('./screens/archives/history.js')),
  route(
    '/repositories/:id/browse/:archive/*',
    ['repository', 'archives', 'browse'],
    () => import('./screens/browse/browse.js'),
  ),
  route(
    '/restore',
    ['repository', 'archives', 'folders', 'restore'],
    () => import('./screens/restore/restore.js'),
  ),
  route('/schedules', ['schedules', 'plan'], () => import('./screens/schedules/schedules.js')),
  route('/schedules/new', ['schedules', 'plan'], () => import('./screens/schedules/editor.js'), forAdmins),
  route(
    '/schedules/:id/edit',
    ['schedules', 'plan'],
    () => import('./screens/schedules/editor.js'),
    forAdmins,
  ),
  route(
    '/schedules/:id',
    ['schedules', 'plan', 'maintenance'],
    () => import('./screens/schedules/schedule.js'),
  ),
  route('/activity', ['activity'], () => import('./screens/activity/jobs.js')),
  route('/activity/:job', ['activity'], () => import('./screens/activity/job.js')),
  route(
    '/repositories/:id/settings',
    ['repository', 'configuration', 'folders'],
    () => import('./screens/repositories/settings/settings.js'),
    forAdmins,
  ),
  route('/add', ['add', 'plan', 'folders', 'channels'], () => import('./screens/add/add.js'), forAdmins),
  route('/welcome', ['add', 'plan', 'folders', 'channels'], () => import('./screens/add/add.js'), forAdmins),
  route('/settings', ['settings'], () => import('./screens/settings/settings.js')),
  route(
    '/settings/notifications',
    ['settings', 'notifications'],
    () => import('./screens/settings/notifications/notifications.js'),
  ),
  route(
    '/settings/notifications/new',
    ['settings', 'notifications', 'channels'],
    () => import('./screens/settings/notifications/new-channel.js'),
    forAdmins,
  ),
  route(
    '/settings/notifications/:id',
    ['settings', 'notifications', 'channels'],
    () => import('./screens/settings/notifications/channel.js'),
  ),
  route(
    '/settings/incidents',
    ['settings', 'incidents'],
    () => import('./screens/settings/incidents/incidents.js'),
  ),
  route(
    '/settings/incidents/:id',
    ['settings', 'incidents', 'notifications'],
    () => import('./screens/settings/incidents/incident.js'),
  ),
  route('/settings/hosts', ['settings', 'hosts'], () => import('./screens/settings/hosts/hosts.js')),
  route(
    '/settings/hosts/new',
    ['settings', 'hosts'],
    () => import('./screens/settings/hosts/new-host.js'),
    forAdmins,
  ),
  route(
    '/settings/hosts/key',
    ['settings', 'hosts'],
    () => import('./screens/settings/hosts/key.js'),
    forAdmins,
  ),
  route('/settings/hosts/:id', ['settings', 'hosts'], () => import('./screens/settings/hosts/host.js')),
  route(
    '/settings/source-sets',
    ['settings', 'sources'],
    () => import('./screens/settings/sources/source-sets.js'),
  ),
  route(
    '/settings/source-sets/new',
    ['settings', 'sources', 'folders'],
    () => import('./screens/settings/sources/new-source-set.js'),
    forAdmins,
  ),
  route(
    '/settings/source-sets/:id',
    ['settings', 'sources', 'folders'],
    () => import('./screens/settings/sources/source-set.js'),
  ),
  route('/settings/scripts', ['settings', 'scripts'], () => import('./screens/settings/scripts/scripts.js')),
  route(
    '/settings/scripts/new',
    ['settings', 'scripts'],
    () => import('./screens/settings/scripts/new-script.js'),
    forAdmins,
  ),
  route(
    '/settings/scripts/:id',
    ['settings', 'scripts'],
    () => import('./screens/settings/scripts/script.js'),
  ),
  route(
    '/settings/moving-in',
    ['settings', 'movingIn', 'add', 'folders', 'plan', 'sources'],
    () => import('./screens/settings/moving-in/moving-in.js'),
    forAdmins,
  ),
  route(
    '/settings/moving-in/borgmatic',
    ['settings', 'movingIn', 'exchange'],
    () => import('./screens/settings/moving-in/borgmatic.js'),
    forAdmins,
  ),
  route(
    '/settings/moving-in/settings-file',
    ['settings', 'movingIn', 'exchange'],
    () => import('./screens/settings/moving-in/settings-file.js'),
    forAdmins,
  ),
  route('/settings/people', ['settings', 'people'], () => import('./screens/settings/people/people.js')),
  route(
    '/settings/recovery',
    ['settings', 'recovery', 'selfBackup', 'add', 'folders'],
    () => import('./screens/settings/recovery/recovery.js'),
    forAdmins,
  ),
  route(
    '/settings/audit',
    ['settings', 'audit'],
    () => import('./screens/settings/audit/audit.js'),
    forAdmins,
  ),
  route('/settings/system', ['settings', 'system'], () => import('./screens/settings/system/system.js')),
  route('/password', [], () => import('./screens/sign-in/password.js')),
  route('/components', ['home'], () => import('./screens/components/components.js')),
];
