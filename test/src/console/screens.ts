import type { Api } from '../api.js';
import type { TestServer } from '../server.js';

/** The screens whose addresses are always the same, for a service that `screen-world.ts` has filled. */
export const screens = [
  '/',
  '/add',
  '/add?existing',
  '/repositories',
  '/repositories/1',
  '/repositories/1/archives',
  '/repositories/1/maintenance',
  '/repositories/1/drills',
  '/repositories/1/settings',
  '/repositories/3',
  '/restore',
  '/restore?repository=1',
  '/schedules',
  '/schedules/new',
  '/schedules/1',
  '/schedules/1/edit',
  '/activity',
  '/activity/1',
  '/settings',
  '/settings/notifications',
  '/settings/notifications/new',
  '/settings/notifications/1',
  '/settings/incidents',
  '/settings/hosts',
  '/settings/hosts/new',
  '/settings/hosts/key',
  '/settings/source-sets',
  '/settings/source-sets/new',
  '/settings/scripts',
  '/settings/scripts/new',
  '/settings/scripts/1',
  '/settings/moving-in',
  '/settings/moving-in/borgmatic',
  '/settings/moving-in/settings-file',
  '/settings/people',
  '/settings/recovery',
  '/settings/audit',
  '/settings/system',
  '/account',
  '/password',
  '/components',
  '/there/is/no/such/page',
] as const;

/** These, and those of what the service was filled with. */
export async function allScreens(server: TestServer, api: Api): Promise<string[]> {
  const { archives } = (await api.get('/api/archives/list?repository_id=1')).body;
  const [older, newer] = archives.map(({ name }: { name: string }) => name);
  // Its list of files is known from here on, as after a first visit.
  await api.get(`/api/archives/${older}/contents?repository_id=1`);
  const home = `${server.workspace.path.slice(1)}/source/home`;
  const key = await api.post('/api/ssh-keys/generate', { name: 'system', key_type: 'ed25519' });
  const { id } = key.body.ssh_key;
  // Nobody listens there: the connection is kept with that.
  const host = { host: '127.0.0.1', port: 9, username: 'backup', password: 'none' };
  await api.post(`/api/ssh-keys/${id}/deploy`, host);
  const set = await api.post('/api/source-sets', { name: 'Homes', source_directories: [`/${home}`] });
  if (set.status >= 300) throw new Error(set.text);
  return [
    ...screens,
    '/repositories?backup',
    '/repositories/1/drills/1',
    `/repositories/1/browse/${older}/${home}`,
    `/repositories/1/browse/${older}?find=ann`,
    `/repositories/1/compare?from=${older}&to=${newer}`,
    `/repositories/1/history?path=${home}/letters/ann.txt`,
    '/restore?find=ann',
    `/restore?repository=1&archive=${older}&path=${home}/letters`,
    '/settings/hosts/1',
    '/settings/source-sets/1',
  ];
}
