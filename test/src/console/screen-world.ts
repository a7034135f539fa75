import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import type { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

/** What a stranger can name things, to become part of a page. */
export const hostile = '<img src=x onerror="document.title=`taken`">';
const long = 'n'.repeat(255 - '.txt'.length);

/** A service with something of everything that the console shows, with names that a page must stand. */
export async function fillWorld(server: TestServer): Promise<Api> {
  const api = await server.login();
  const source = server.workspace.folder('source', 'home');
  writeFileSync(join(source, `${hostile.replaceAll('/', '')}.txt`), 'hostile');
  writeFileSync(join(source, `${long}.txt`), 'long');
  writeFileSync(join(source, 'שלום עולם.txt'), 'right to left');
  writeFileSync(
    Buffer.concat([Buffer.from(`${source}/`), Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x74])]),
    'odd bytes',
  );
  mkdirSync(join(source, 'letters'));
  for (const name of ['ann.txt', 'ben.txt']) writeFileSync(join(source, 'letters', name), `Dear ${name}`);
  chmodSync(source, 0o755);
  const at = (name: string) => join(server.workspace.path, name);
  await createRepository(api, { name: 'letters', path: at('letters'), source_directories: [source] });
  await createRepository(api, { name: hostile, path: at('hostile'), source_directories: [source] });
  await createRepository(api, {
    name: 'a-repository-with-a-name-that-is-as-long-as-nobody-would-choose-it-but-somebody-does-'.repeat(2),
    path: at('long'),
    source_directories: [source],
    pre_backup_script: `echo '${hostile}' >&2; exit 3`,
  });
  const made = await api.post('/api/schedule/', {
    name: 'nightly',
    cron_expression: '0 2 * * *',
    timezone: 'Europe/Berlin',
    repository_ids: [1, 2],
    run_prune_after: true,
    prune_keep_daily: 7,
  });
  if (made.status !== 201) throw new Error(made.text);
  for (const name of ['letters', 'letters', 'hostile', 'long'])
    await endedJob(api, await startBackup(api, at(name)));
  const plan = {
    cron_expression: '0 5 * * 1',
    timezone: 'Europe/Berlin',
    fixed_paths: [join(source, 'letters')],
  };
  const planned = await api.put('/api/repositories/1/drill-schedule', plan);
  const drill = await api.post('/api/repositories/1/drill');
  if (planned.status + drill.status > 400) throw new Error(`${planned.text} ${drill.text}`);
  await waitFor(async () => (await api.get('/api/drills')).body.drills.length > 0, { what: 'the drill' });
  const script = await api.post('/api/scripts', {
    name: hostile,
    content: 'echo hello',
    category: 'custom',
  });
  const channel = await api.post('/api/notifications', {
    name: hostile,
    service_url: 'json://127.0.0.1:9/hook',
    notify_on_backup_success: true,
  });
  const user = await api.post('/api/auth/users', {
    username: 'ben',
    password: 'a password of ben',
    is_admin: false,
  });
  for (const { status, text } of [script, channel, user]) if (status >= 300) throw new Error(text);
  return api;
}
