import type { ComponentType } from 'preact';
import { type Area, loadMessages } from './i18n/messages.js';
import Home from './screens/home/home.js';

/** What a screen gets of its address. */
export type ScreenProps<Parameters extends string = never> = { params: Record<Parameters, string> };
// biome-ignore lint/suspicious/noExplicitAny: each screen names its own parameters.
type Screen = ComponentType<{ params: any }>;

export interface Route {
  path: string;
  /** The place of the navigation it belongs to. */
  place: 'home' | 'repositories' | 'restore' | 'schedules' | 'activity' | 'settings';
  /** Nobody else may do what it is for. */
  isForAdmins: boolean;
  load(): Promise<Screen>;
  /** Its screen, once it was loaded. */
  loaded?: Screen;
}

const forAdmins = true;

const route = (
  path: string,
  place: Route['place'],
  areas: Area[],
  load: () => Promise<{ default: Screen }>,
  isForAdmins = false,
): Route => {
  const made: Route = {
    path,
    place,
    isForAdmins,
    load: async () => {
      const [screen] = await Promise.all([load(), loadMessages(...areas)]);
      made.loaded = screen.default;
      return screen.default;
    },
  };
  return made;
};

const setting = (
  path: string,
  areas: Area[],
  load: () => Promise<{ default: Screen }>,
  isForAdmins?: boolean,
) => route(`/settings${path}`, 'settings', ['settings', ...areas], load, isForAdmins);

const settings: readonly Route[] = [
  setting('', [], () => import('./screens/settings/settings.js')),
  setting(
    '/notifications',
    ['notifications'],
    () => import('./screens/settings/notifications/notifications.js'),
  ),
  setting(
    '/notifications/new',
    ['notifications', 'channels'],
    () => import('./screens/settings/notifications/new-channel.js'),
    forAdmins,
  ),
  setting(
    '/notifications/:id',
    ['notifications', 'channels'],
    () => import('./screens/settings/notifications/channel.js'),
  ),
  setting('/incidents', ['incidents'], () => import('./screens/settings/incidents/incidents.js')),
  setting(
    '/incidents/:id',
    ['incidents', 'notifications'],
    () => import('./screens/settings/incidents/incident.js'),
  ),
  setting('/hosts', ['hosts'], () => import('./screens/settings/hosts/hosts.js')),
  setting('/hosts/new', ['hosts'], () => import('./screens/settings/hosts/new-host.js'), forAdmins),
  setting('/hosts/key', ['hosts'], () => import('./screens/settings/hosts/key.js'), forAdmins),
  setting('/hosts/:id', ['hosts'], () => import('./screens/settings/hosts/host.js')),
  setting('/source-sets', ['sources'], () => import('./screens/settings/sources/source-sets.js')),
  setting(
    '/source-sets/new',
    ['sources', 'folders'],
    () => import('./screens/settings/sources/new-source-set.js'),
    forAdmins,
  ),
  setting(
    '/source-sets/:id',
    ['sources', 'folders'],
    () => import('./screens/settings/sources/source-set.js'),
  ),
  setting('/scripts', ['scripts'], () => import('./screens/settings/scripts/scripts.js')),
  setting('/scripts/new', ['scripts'], () => import('./screens/settings/scripts/new-script.js'), forAdmins),
  setting('/scripts/:id', ['scripts'], () => import('./screens/settings/scripts/script.js')),
  setting(
    '/moving-in',
    ['movingIn', 'add', 'folders', 'plan', 'sources'],
    () => import('./screens/settings/moving-in/moving-in.js'),
    forAdmins,
  ),
  setting(
    '/moving-in/borgmatic',
    ['movingIn', 'exchange'],
    () => import('./screens/settings/moving-in/borgmatic.js'),
    forAdmins,
  ),
  setting(
    '/moving-in/settings-file',
    ['movingIn', 'exchange'],
    () => import('./screens/settings/moving-in/settings-file.js'),
    forAdmins,
  ),
  setting('/people', ['people'], () => import('./screens/settings/people/people.js')),
  setting(
    '/recovery',
    ['recovery', 'own-backup', 'add', 'folders'],
    () => import('./screens/settings/recovery/recovery.js'),
    forAdmins,
  ),
  setting('/audit', ['audit'], () => import('./screens/settings/audit/audit.js'), forAdmins),
  setting('/system', ['system'], () => import('./screens/settings/system/system.js')),
];

const routes: readonly Route[] = [
  // The first page comes with the script: it is worth a round trip.
  route('/', 'home', ['home'], async () => ({ default: Home })),
  route(
    '/repositories',
    'repositories',
    ['repository', 'home'],
    () => import('./screens/repositories/list.js'),
  ),
  route(
    '/repositories/:id',
    'repositories',
    ['repository', 'home'],
    () => import('./screens/repositories/overview.js'),
  ),
  route(
    '/repositories/:id/maintenance',
    'repositories',
    ['repository', 'maintenance'],
    () => import('./screens/repositories/maintenance/maintenance.js'),
  ),
  route(
    '/repositories/:id/drills',
    'repositories',
    ['repository', 'maintenance', 'drills'],
    () => import('./screens/repositories/drills/drills.js'),
  ),
  route(
    '/repositories/:id/drills/:drill',
    'repositories',
    ['repository', 'activity', 'drills'],
    () => import('./screens/repositories/drills/evidence.js'),
  ),
  route(
    '/repositories/:id/archives',
    'repositories',
    ['repository', 'archives', 'maintenance'],
    () => import('./screens/archives/archives.js'),
  ),
  route(
    '/repositories/:id/compare',
    'repositories',
    ['archives'],
    () => import('./screens/archives/compare.js'),
  ),
  route(
    '/repositories/:id/history',
    'repositories',
    ['archives'],
    () => import('./screens/archives/history.js'),
  ),
  route(
    '/repositories/:id/browse/:archive/*',
    'repositories',
    ['repository', 'archives', 'browse'],
    () => import('./screens/browse/browse.js'),
  ),
  route(
    '/restore',
    'restore',
    ['repository', 'archives', 'folders', 'restore'],
    () => import('./screens/restore/restore.js'),
  ),
  route('/schedules', 'schedules', ['schedules', 'plan'], () => import('./screens/schedules/schedules.js')),
  route(
    '/schedules/new',
    'schedules',
    ['schedules', 'plan'],
    () => import('./screens/schedules/editor.js'),
    forAdmins,
  ),
  route(
    '/schedules/:id/edit',
    'schedules',
    ['schedules', 'plan'],
    () => import('./screens/schedules/editor.js'),
    forAdmins,
  ),
  route(
    '/schedules/:id',
    'schedules',
    ['schedules', 'plan', 'maintenance'],
    () => import('./screens/schedules/schedule.js'),
  ),
  route('/activity', 'activity', ['activity'], () => import('./screens/activity/jobs.js')),
  route('/activity/:job', 'activity', ['activity'], () => import('./screens/activity/job.js')),
  route(
    '/repositories/:id/settings',
    'repositories',
    ['repository', 'configuration', 'folders'],
    () => import('./screens/repositories/settings/settings.js'),
    forAdmins,
  ),
  route(
    '/add',
    'home',
    ['add', 'plan', 'folders', 'channels'],
    () => import('./screens/add/add.js'),
    forAdmins,
  ),
  route(
    '/welcome',
    'home',
    ['add', 'plan', 'folders', 'channels'],
    () => import('./screens/add/add.js'),
    forAdmins,
  ),
  ...settings,
  route('/password', 'settings', [], () => import('./screens/sign-in/password.js')),
  route('/components', 'settings', ['home'], () => import('./screens/components/components.js')),
];

/** The first route that an address matches. */
export function routeOf(address: string): { route: Route; params: Record<string, string> } | null {
  const parts = address.split('/').filter(Boolean);
  for (const route of routes) {
    const params = match(route.path.split('/').filter(Boolean), parts);
    if (params) return { route, params };
  }
  return null;
}

function match(pattern: string[], parts: string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  const rest = pattern.at(-1) === '*';
  if (rest ? parts.length < pattern.length - 1 : parts.length !== pattern.length) return null;
  for (const [index, piece] of pattern.entries()) {
    if (piece === '*') params.rest = parts.slice(index).map(decode).join('/');
    // Ids are numbers: anything else is no page.
    else if (/^:(id|job|drill)$/.test(piece) && !/^\d+$/.test(parts[index] ?? '')) return null;
    else if (piece.startsWith(':')) params[piece.slice(1)] = decode(parts[index] ?? '');
    else if (piece !== parts[index]) return null;
  }
  return params;
}

/** An address that somebody typed need not be well formed. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Loads the screen of an address, before it is opened. */
export const prepare = (address: string): void => {
  void routeOf(address.split('?')[0] ?? address)
    ?.route.load()
    .catch(() => undefined);
};
