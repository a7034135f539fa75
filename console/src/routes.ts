import Home from './screens/home/home.js';
import { helpedBy } from './shell/router.js';

const forAdmins = 'admins';
const unlimited = 'unlimited';

/** Each screen below its page of the documentation: its address, and where it is loaded from. */
export const routes = [
  helpedBy('admin/monitoring.html#protection', [
    // The first page comes with the script: it is worth a round trip.
    ['/', async () => ({ default: Home })],
  ]),
  helpedBy('guides/storage.html', [['/repositories', () => import('./screens/repositories/list.js')]]),
  helpedBy('guides/verify.html', [
    ['/repositories/:id', () => import('./screens/repositories/overview.js')],
    ['/repositories/:id/maintenance', () => import('./screens/repositories/maintenance/maintenance.js')],
  ]),
  helpedBy('guides/verify.html#restore-drills', [
    ['/repositories/:id/drills', () => import('./screens/repositories/drills/drills.js')],
    ['/repositories/:id/drills/:drill', () => import('./screens/repositories/drills/evidence.js')],
  ]),
  helpedBy('guides/restore.html', [
    ['/repositories/:id/archives', () => import('./screens/archives/archives.js')],
    ['/repositories/:id/compare', () => import('./screens/archives/compare.js')],
    ['/repositories/:id/history', () => import('./screens/archives/history.js')],
    ['/repositories/:id/browse/:archive/*', () => import('./screens/browse/browse.js')],
    ['/restore', () => import('./screens/restore/restore.js')],
  ]),
  helpedBy('guides/schedules.html', [
    ['/schedules', () => import('./screens/schedules/schedules.js')],
    ['/schedules/new', () => import('./screens/schedules/editor.js'), forAdmins],
    ['/schedules/:id/edit', () => import('./screens/schedules/editor.js'), forAdmins],
    ['/schedules/:id', () => import('./screens/schedules/schedule.js')],
  ]),
  helpedBy('guides/troubleshooting.html', [
    ['/activity', () => import('./screens/activity/jobs.js')],
    ['/activity/:job', () => import('./screens/activity/job.js')],
  ]),
  helpedBy('guides/sources.html', [
    ['/repositories/:id/settings', () => import('./screens/repositories/settings/settings.js'), forAdmins],
  ]),
  helpedBy('start/first-backup.html', [
    ['/add', () => import('./screens/add/add.js'), forAdmins],
    ['/welcome', () => import('./screens/add/add.js'), forAdmins],
  ]),
  helpedBy('index.html', [
    ['/settings', () => import('./screens/settings/settings.js')],
    ['/components', () => import('./screens/components/components.js')],
  ]),
  helpedBy('guides/notifications.html', [
    ['/settings/notifications', () => import('./screens/settings/notifications/notifications.js'), unlimited],
    [
      '/settings/notifications/new',
      () => import('./screens/settings/notifications/new-channel.js'),
      forAdmins,
    ],
    ['/settings/notifications/:id', () => import('./screens/settings/notifications/channel.js'), unlimited],
  ]),
  helpedBy('guides/notifications.html#incidents', [
    ['/settings/incidents', () => import('./screens/settings/incidents/incidents.js')],
    ['/settings/incidents/:id', () => import('./screens/settings/incidents/incident.js')],
  ]),
  helpedBy('guides/sources.html#back-up-another-host', [
    ['/settings/hosts', () => import('./screens/settings/hosts/hosts.js'), unlimited],
    ['/settings/hosts/new', () => import('./screens/settings/hosts/new-host.js'), forAdmins],
    ['/settings/hosts/:id', () => import('./screens/settings/hosts/host.js'), unlimited],
  ]),
  helpedBy('admin/users-and-security.html#ssh-key-and-host-keys', [
    ['/settings/hosts/key', () => import('./screens/settings/hosts/key.js'), forAdmins],
  ]),
  helpedBy('guides/sources.html#source-sets', [
    ['/settings/source-sets', () => import('./screens/settings/sources/source-sets.js'), unlimited],
    ['/settings/source-sets/new', () => import('./screens/settings/sources/new-source-set.js'), forAdmins],
    ['/settings/source-sets/:id', () => import('./screens/settings/sources/source-set.js'), unlimited],
  ]),
  helpedBy('guides/sources.html#scripts', [
    ['/settings/scripts', () => import('./screens/settings/scripts/scripts.js'), unlimited],
    ['/settings/scripts/new', () => import('./screens/settings/scripts/new-script.js'), forAdmins],
    ['/settings/scripts/:id', () => import('./screens/settings/scripts/script.js'), unlimited],
  ]),
  helpedBy('start/import.html', [
    ['/settings/moving-in', () => import('./screens/settings/moving-in/moving-in.js'), forAdmins],
  ]),
  helpedBy('start/import.html#borgmatic', [
    ['/settings/moving-in/borgmatic', () => import('./screens/settings/moving-in/borgmatic.js'), forAdmins],
  ]),
  helpedBy('start/import.html#settings-as-a-file', [
    [
      '/settings/moving-in/settings-file',
      () => import('./screens/settings/moving-in/settings-file.js'),
      forAdmins,
    ],
  ]),
  helpedBy('admin/users-and-security.html', [
    ['/settings/people', () => import('./screens/settings/people/people.js')],
    ['/account', () => import('./screens/account/account.js')],
    ['/password', () => import('./screens/sign-in/password.js')],
  ]),
  helpedBy('guides/lost-server.html', [
    ['/settings/recovery', () => import('./screens/settings/recovery/recovery.js'), forAdmins],
  ]),
  helpedBy('admin/users-and-security.html#audit-trail', [
    ['/settings/audit', () => import('./screens/settings/audit/audit.js'), forAdmins],
  ]),
  helpedBy('admin/configuration.html', [
    ['/settings/system', () => import('./screens/settings/system/system.js'), unlimited],
  ]),
].flat();
