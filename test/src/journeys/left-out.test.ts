/** What excludes and --one-file-system leave out, for preflight and for the place of a repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, passphrase } from '../actions.js';
import type { Api } from '../api.js';
import { FileSystems } from '../faults/file-systems.js';
import { PullFixture } from '../pull-fixture.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';

let systems: FileSystems;
let server: TestServer;
let api: Api;
let source: string;
let mount: string;
let subvolume: string;
let host: PullFixture | undefined;

beforeAll(async () => {
  systems = new FileSystems();
  server = await TestServer.start();
  api = await server.login();
  source = join(server.workspace.path, 'source');
  systems.btrfs(source);
  makeFiles(join(source, 'plain'), 3);
  makeFiles(join(source, 'left'), 5);
  subvolume = join(source, 'home');
  execFileSync('btrfs', ['subvolume', 'create', subvolume]);
  writeFileSync(join(subvolume, 'letter'), 'letter');
  mount = join(source, 'disk');
  systems.tmpfs(mount, 64);
});
afterAll(async () => {
  systems?.remove();
  await server?.remove();
  await host?.remove();
});

const preflight = async (more: object) =>
  (await api.post('/api/preflight', { source_directories: [source], path: join(mount, 'r'), ...more })).body;

test('applies custom flags in a preflight and names other file systems', async () => {
  expect((await preflight({})).files).toBe(9);
  const flags = `--one-file-system --exclude '${join(source, 'left')}'`;
  const found = await preflight({ custom_flags: flags });
  expect(found.files).toBe(3);
  const skipped = found.warnings.find(({ code }: { code: string }) => code === 'sources_skip_file_systems');
  expect(skipped.params.paths.toSorted()).toEqual([mount, subvolume].toSorted());
  const listed = await preflight({
    custom_flags: '-x',
    exclude_patterns: [mount],
    source_directories: [source, subvolume],
  });
  expect(JSON.stringify(listed.warnings)).not.toContain('sources_skip_file_systems');
  expect(
    (await api.post('/api/preflight', { source_directories: [source], custom_flags: '--list' })).status,
  ).toBe(400);
});

test('takes a repository below its source when the backup leaves it out', async () => {
  const asked = (name: string, more: object) =>
    api.post('/api/repositories/', {
      name,
      path: join(mount, name),
      passphrase,
      source_directories: [source],
      ...more,
    });
  const refused = await asked('refused', {});
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining(`or exclude ${join(mount, 'refused')}`),
  ]);
  mkdirSync(join(source, 'inside'));
  const inside = await asked('r', { path: join(source, 'inside', 'r'), custom_flags: '-x' });
  expect(inside.status).toBe(400);
  expect((await asked('excluded', { exclude_patterns: [mount] })).status).toBe(201);
  const path = join(mount, 'skipped');
  await createRepository(api, { name: 'skipped', path, source_directories: [source], custom_flags: '-x' });
  const first = await backUp(api, path);
  expect(first.status).toBe('completed_with_warnings');
  expect(first.error_message).toContain(subvolume);
  expect((await backUp(api, path)).status).toBe('completed');
});

test('names skipped file systems of a host once in preflight and pull', async () => {
  const pulled = await PullFixture.start();
  host = pulled;
  const folder = pulled.sshd.ownFolder('tree');
  const disk = join(folder, 'disk');
  makeFiles(join(folder, 'plain'), 3);
  systems.tmpfs(disk, 64);
  writeFileSync(join(disk, 'letter'), 'letter');
  const sources = { source_directories: [folder], source_connection_id: pulled.connection.id };
  const ask = async (more: object) => (await pulled.api.post('/api/preflight', { ...sources, ...more })).body;
  expect((await ask({})).files).toBe(4);
  const found = await ask({ custom_flags: '-x' });
  expect([found.files, JSON.stringify(found.warnings)]).toEqual([
    3,
    expect.stringContaining(`sources_skip_file_systems`),
  ]);
  for (const trusted of [false, true]) {
    await pulled.actions.update({ trusted });
    const repository = await pulled.create(`skips-${trusted}`, { ...sources, custom_flags: '-x' });
    const first = await backUp(pulled.api, repository.path);
    expect([first.status, first.error_message]).toEqual([
      'completed_with_warnings',
      expect.stringContaining(disk),
    ]);
    expect((await backUp(pulled.api, repository.path)).status).toBe('completed');
  }
}, 120_000);
