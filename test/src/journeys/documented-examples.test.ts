import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { passphrase } from '../actions.js';
import type { Api } from '../api.js';
import { blocksOf, elsewhere, pasted } from '../documented.js';
import { Borg } from '../oracles/borg.js';
import { adminPassword, TestServer } from '../server.js';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server?.remove());

/** Every answer of an error ends the script. A stream is read for a moment. */
const strictCurl = `
curl() {
  case " $* " in
    *' -N '*) command curl --fail-with-body --max-time 2 "$@" || [ $? = 28 ] ;;
    *) command curl --fail-with-body --max-time 60 "$@" ;;
  esac
}
set -eu
`;

/** Runs a block as a user does who pastes it, but against the service of the test, in the folder of the test. */
function paste(block: string, api?: Api): Promise<{ code: number; output: string }> {
  const folder = server.workspace.path;
  const script = block
    .replaceAll('http://127.0.0.1:8081', server.api.baseUrl)
    .replaceAll('/srv/backups', join(folder, 'backups'))
    .replaceAll('/srv/restored', join(folder, 'restored'))
    .replaceAll('/backups/home', join(folder, 'backups/home'))
    .replaceAll('"/home"', `"${join(folder, 'home')}"`)
    .replaceAll('choose a long one', adminPassword)
    .replace(/^.*npm start &$/m, '');
  const token = api?.token ?? '';
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TOKEN: token,
    api: `${server.api.baseUrl}/api`,
    auth: `Authorization: Bearer ${token}`,
    json: 'Content-Type: application/json',
  };
  return new Promise((resolve) => {
    execFile('bash', ['-c', strictCurl + script], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
}

/** What the examples speak of: two repositories, a schedule and a setting, and archives of another tool. */
async function scene(): Promise<Api> {
  const api = await server.login();
  const source = server.workspace.folder('home');
  for (const name of [
    'letter.odt',
    'me/letter.odt',
    'ann/letters/one.odt',
    'ann/photos/2026/one.jpg',
    'letters/one.odt',
  ]) {
    mkdirSync(dirname(join(source, name)), { recursive: true });
    writeFileSync(join(source, name), 'a letter');
  }
  const [home = '', away = ''] = ['home', 'away'].map((name) =>
    join(server.workspace.folder('backups'), name),
  );
  const borg = new Borg(home, server.workspace.folder('borg-by-hand'), { passphrase });
  await borg.run('init', '--encryption', 'repokey', home);
  for (const name of ['nas-1', 'nas-7', 'manual-2026-03-01', 'home-2026-03-01'])
    await borg.createIn(server.workspace.path, name, 'home');
  const settings = { passphrase, source_directories: [source] };
  const made = [
    await api.post('/api/repositories/import', { ...settings, name: 'home', path: home }),
    await api.post('/api/repositories/', { ...settings, name: 'away', path: away }),
    await api.post('/api/schedule/', { name: 'nightly', cron_expression: '0 3 * * *', repository_id: 1 }),
    await api.post('/api/notifications', { name: 'chat', service_url: 'json://127.0.0.1/none' }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  return api;
}

test('runs the quick start of docs/developers/api.md as one block', async () => {
  const [block = ''] = blocksOf('docs/developers/api', 'Quick start');
  const { code, output } = await paste(block);
  expect(code, output).toBe(0);
  const original = readFileSync('/usr/share/doc/bash/copyright');
  expect(readFileSync(join(server.workspace.path, 'copyright')).equals(original)).toBe(true);
});

test.each(pasted)('runs the examples of %s in order', async (page) => {
  const api = await scene();
  const isElsewhere = (block: string) => elsewhere.some(([of, text]) => of === page && block.includes(text));
  const blocks = blocksOf(page).filter((block) => !isElsewhere(block));
  expect(blocks).not.toEqual([]);
  for (const block of blocks) {
    const { code, output } = await paste(block, api);
    expect(code, `${block}\n${output}`).toBe(0);
  }
});
