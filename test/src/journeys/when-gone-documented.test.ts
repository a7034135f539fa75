/** The commands of docs/guides/lost-server.md, as a person pastes them on a machine that has nothing else. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, backUp, createRepository, passphrase } from '../actions.js';
import { root } from '../import-check.js';
import { entry } from '../product.js';
import { contentOnly, snapshot } from '../restore.js';
import { backUpItself, passphraseOf, switchOn } from '../self-backup.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { makeWorkspace } from '../workspace.js';

const page = readFileSync(join(root, 'docs', 'guides', 'lost-server.md'), 'utf8');
const [listing, extracting, recovering, checking] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, text = '']) => text,
) as [string, string, string, string];

const workspace = makeWorkspace();
let server: TestServer;
let secret: string;
let source: string;

beforeAll(async () => {
  server = await TestServer.start({ workspace, env: { DATABASE_URL: undefined } });
  const api = await server.login();
  source = workspace.folder('source');
  makeFiles(source, 5);
  const path = join(workspace.folder('mnt', 'backup'), 'home');
  await createRepository(api, { name: 'home', path, source_directories: [source] });
  await backUp(api, path);
  await switchOn(api, { path: join(workspace.path, 'mnt', 'backup', 'holdfast-self-backup') });
  expect((await backUpItself(api)).status).toBe('completed');
  secret = await passphraseOf(server);
  await server.stop('SIGKILL');
  rmSync(server.dataDirectory, { recursive: true });
});
afterAll(async () => {
  await server?.stop();
  workspace.remove();
});

function paste(block: string, sheet: string): string {
  const script = block
    .replaceAll('/mnt/backup', join(workspace.path, 'mnt', 'backup'))
    .replaceAll('/srv/holdfast', join(workspace.path, 'srv'))
    .replaceAll('the passphrase on the sheet', sheet);
  const holdfast = `holdfast() { "${process.execPath}" "${entry}" "$@"; }`;
  const env = { PATH: process.env.PATH, HOME: workspace.folder('home'), PORT: '0' };
  const cwd = workspace.folder('elsewhere');
  const ended = spawnSync('bash', ['-euo', 'pipefail', '-c', `${holdfast}\n${script}`], {
    cwd,
    env,
    encoding: 'utf8' as const,
  });
  expect(ended.status, `${block}\n${ended.stdout}${ended.stderr}`).toBe(0);
  return ended.stdout;
}

test('restores every file byte for byte with plain borg and the sheet', () => {
  const listed = paste(listing, passphrase);
  expect(listed.trim().split('\n')).toHaveLength(1);
  paste(`${listing}${extracting}`, passphrase);
  const restored = join(workspace.path, 'elsewhere', 'restored', archived(source));
  expect(snapshot(restored).map(contentOnly)).toEqual(snapshot(source).map(contentOnly));
});

test('recovers everything and starts the service', async () => {
  expect(paste(recovering, secret)).toContain('Recovered from archive ');
  paste(checking, secret);
  const dataDirectory = join(workspace.path, 'srv');
  server = await TestServer.start({ workspace, dataDirectory, env: { DATABASE_URL: undefined } });
  const api = await server.login();
  const { repositories } = (await api.get('/api/repositories/')).body;
  expect(repositories.map(({ name }: { name: string }) => name)).toEqual(['home', 'Holdfast itself']);
});
