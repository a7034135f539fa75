import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passphrase } from '../actions.js';
import type { Api } from '../api.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, deploy, generateKey } from '../ssh-actions.js';
import { waitFor } from '../wait-for.js';

/* Repositories on hosts: one with a shell, one that offers nothing but files, and one that answers nonsense. */
let server: TestServer;
let api: Api;
let shell: TestSshd;
let sftp: TestSshd;
let odd: TestSshd;

beforeAll(async () => {
  [server, shell, sftp, odd] = await Promise.all([
    TestServer.start(),
    TestSshd.start(),
    TestSshd.start({ sftpOnly: true }),
    TestSshd.start({ shellStart: "printf 'f\\0../../etc\\0no time\\0'; head -c 200000 /dev/zero" }),
  ]);
  api = await server.login();
  const source = server.workspace.folder('source');
  writeFileSync(join(source, 'file'), 'content');
  const place = join(server.workspace.path, 'original');
  const borg = new Borg(place, server.workspace.folder('base'), { passphrase });
  await borg.run('init', '--encryption=repokey', borg.repository);
  await borg.create('nas-1', Date.now() - 86_400_000, { source });
  const put = (host: TestSshd, ...names: string[]) => {
    const path = join(host.home, ...names);
    mkdirSync(join(path, '..'), { recursive: true });
    cpSync(place, path, { recursive: true });
  };
  put(shell, 'backups', 'one');
  put(shell, 'backups', 'deep', "it's", 'two');
  mkdirSync(join(shell.home, 'backups', 'broken', 'data'), { recursive: true });
  writeFileSync(join(shell.home, 'backups', 'broken', 'config'), '[repository]\nversion = 1\n');
  execFileSync('ln', ['-s', '..', join(shell.home, 'backups', 'loop')]);
  put(sftp, 'backups', 'three');
  for (const host of [shell, sftp])
    execFileSync('chown', ['-R', `${host.account.uid}`, join(host.home, 'backups')]);
  await generateKey(api);
}, 120_000);
afterAll(async () => {
  await Promise.all([shell, sftp, odd].map((host) => host?.remove()));
  await server?.remove();
});

async function discovered({ id }: Connection, path: string) {
  const { body, text } = await api.post('/api/repositories/discover', { connection_id: id, path });
  expect(body.success, text).toBe(true);
  return waitFor(
    async () => {
      const found = (await api.get(`/api/repositories/discover/${body.job_id}`)).body;
      return !['pending', 'running'].includes(found.status) && found;
    },
    { what: 'the end of the discovery', timeoutMs: 60_000 },
  );
}
const shown = (found: { path: string; broken: { code: string } | null }[]) =>
  found.map(({ path, broken }) => [path, broken?.code ?? null]).toSorted();

test('searches a host with a shell remotely and registers its repositories', async () => {
  const connection = await deploy(api, shell);
  const at = (...names: string[]) => join(shell.home, 'backups', ...names);
  const found = await discovered(connection, at());
  expect([found.status, found.error_message]).toEqual(['completed', null]);
  expect(shown(found.found)).toEqual([
    [at('broken'), 'found_config_damaged'],
    [at('deep', "it's", 'two'), null],
    [at('one'), null],
  ]);
  expect((await discovered(connection, './backups')).total).toBe(3);
  const nowhere = await discovered(connection, '/no/such/folder');
  expect([nowhere.status, nowhere.error_code]).toEqual(['failed', 'discovery_folder_missing']);

  const open = await api.post(`/api/repositories/discover/${found.job_id}/open`, { passphrase });
  expect(open.body, open.text).toMatchObject({ opened_count: 2 });
  for (const { opened } of open.body.found)
    expect(opened).toMatchObject({ encryption: 'repokey', archive_count: 1 });
  const repositories = open.body.found.map((each: { path: string }) => ({
    path: each.path,
    connection_id: connection.id,
  }));
  const imported = await api.post('/api/repositories/import-many', { repositories, passphrase });
  expect(imported.body, imported.text).toMatchObject({ created_count: 2, failed_count: 0 });
  const again = await api.get(`/api/repositories/discover/${found.job_id}`);
  const known = again.body.found.map(
    (each: { already_registered: number | null }) => each.already_registered,
  );
  expect(known.filter((id: number | null) => id !== null)).toHaveLength(2);
});

test('searches a host without a shell folder by folder', async () => {
  const connection = await deploy(api, sftp);
  const found = await discovered(connection, sftp.home);
  expect([found.status, found.error_message]).toEqual(['completed', null]);
  expect(found.found).toMatchObject([
    { path: join(sftp.home, 'backups', 'three'), repository_id: null, key_in_repository: null, broken: null },
  ]);
});

test('tolerates a host with invalid responses', async () => {
  const connection = await deploy(api, odd, { use_sftp_mode: true });
  const found = await discovered(connection, odd.home);
  expect(['completed', 'failed']).toContain(found.status);
  expect(found.total).toBe(0);
});
