import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { PullFixture } from '../pull-fixture.js';
import { nobody } from '../server.js';
import { makeFiles } from '../trees.js';

let host: PullFixture;
let api: Api;
let folder: string;

beforeAll(async () => {
  host = await PullFixture.start({ unprivileged: true });
  ({ api } = host);
  folder = host.server.workspace.folder('looked at');
  makeFiles(join(folder, 'plain'), 30, 1000);
  const at = (name: string) => join(folder, name);
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('plain', at('link'));
  mkdirSync(at('closed'), { mode: 0o700 });
  writeFileSync(at('secret'), 'x', { mode: 0o600 });
  const odd = Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff]), Buffer.from('name')]);
  mkdirSync(odd);
  writeFileSync(Buffer.concat([odd, Buffer.from('/inside')]), 'x');
}, 120_000);
afterAll(() => host?.remove());

const browse = (path: string, more: object = {}) => api.get('/api/filesystem/browse', { path, ...more });
const preflight = (body: object) => api.post('/api/preflight', body);

describe('browsing this machine', () => {
  test('shows entries, readability and free space', async () => {
    const { status, body } = await browse(`${folder}/`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ current_path: folder, parent_path: join(folder, '..'), truncated: false });
    expect(body.free_bytes).toBeGreaterThan(0);
    expect(folder.startsWith(body.mount)).toBe(true);
    const items = body.items.map((item: Record<string, unknown>) => [item.name, item.type, item.readable]);
    expect(items).toEqual([
      ['bad\\udcffname', 'directory', true],
      ['closed', 'directory', false],
      ['plain', 'directory', true],
      ['link', 'symlink', null],
      ['pipe', 'other', null],
      ['secret', 'file', false],
    ]);
    const odd = body.items[0];
    expect(odd).toMatchObject({ name_escaped: true, is_directory: true });
    expect((await browse(odd.path)).body.items).toMatchObject([{ name: 'inside', size: 1 }]);
  });

  test('lists its disks with their space', async () => {
    const { status, body } = await api.get('/api/filesystem/disks');
    expect(status).toBe(200);
    const root = body.disks.find(({ mounts }: { mounts: string[] }) => mounts.includes('/'));
    expect(root).toMatchObject({ network: false, total_bytes: expect.any(Number) });
    expect(root.free_bytes).toBeLessThanOrEqual(root.total_bytes);
  });

  test('recognises repositories, without the tool', async () => {
    const path = host.server.workspace.folder('stores');
    execFileSync('chown', [`${nobody}`, path]);
    await createRepository(api, {
      name: 'seen',
      path: join(path, 'seen'),
      source_directories: [join(folder, 'plain')],
    });
    mkdirSync(join(path, 'other'));
    writeFileSync(join(path, 'other', 'config'), '[other]\n');
    const { body } = await browse(path);
    const found = body.items.map((item: { name: string; repository: boolean }) => [
      item.name,
      item.repository,
    ]);
    expect(found).toEqual([
      ['other', false],
      ['seen', true],
    ]);
    expect((await browse(join(path, 'seen'))).body.repository).toBe(true);
  });

  test('is bounded', async () => {
    const { body } = await browse(join(folder, 'plain', 'dir-0000'), { limit: 7 });
    expect([body.items.length, body.truncated]).toEqual([7, true]);
  });

  test.each([
    ['relative', 400, /absolute/],
    ['/etc/../root', 400, /\.\./],
    ['/nowhere/at/all', 404, /no folder/],
    ['/etc/hostname', 400, /not a folder/],
    [`/${'x'.repeat(300)}`, 400, /too long/],
    ['/a\nb', 400, /line breaks/],
  ])('%s is refused', async (path, status, text) => {
    expectRefusal(await browse(path), status, text);
  });

  test('refuses unreadable folders, and users who are not administrators', async () => {
    expectRefusal(await browse(join(folder, 'closed')), 403, /may not read/);
    await api.post('/api/auth/users', { username: 'anna', password: 'a password for anna' });
    const anna = await host.server.login('anna', 'a password for anna');
    expectRefusal(await anna.get('/api/filesystem/browse', { path: '/' }), 403);
    expectRefusal(await anna.get('/api/filesystem/disks'), 403);
    expectRefusal(await anna.post('/api/preflight', { source_directories: ['/'] }), 403);
  });
});

describe('a preflight', () => {
  test('counts the files of a backup and names unreadable ones', async () => {
    const { status, body } = await preflight({
      source_directories: [folder, '/nowhere', join(folder, 'link')],
      exclude_patterns: ['*/file-00000?.txt'],
      path: join(host.server.workspace.path, 'planned', 'repository'),
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ complete: true, files: 22, symlinks: 2, missing: ['/nowhere'] });
    expect(body.bytes).toBe(20 * 1000 + 2);
    expect(body.unreadable.count).toBe(2);
    expect(body.unreadable.paths.sort()).toEqual([join(folder, 'closed'), join(folder, 'secret')]);
    expect(body.symlink_sources).toEqual([join(folder, 'link')]);
    expect(body.free_bytes).toBeGreaterThan(0);
    expect(body.same_disk).toContain(folder);
    expect(body.tool).toMatch(/^borg \d/);
    const codes = body.warnings.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(
      expect.arrayContaining([
        ...['sources_missing', 'sources_unreadable', 'sources_are_symlinks', 'place_on_disk_of_sources'],
      ]),
    );
  });

  test('suggests presets with the bytes that each saves, on both hosts', async () => {
    for (const [base, source_connection_id] of [
      [join(host.server.workspace.path, 'presets'), null],
      [host.sshd.ownFolder('presets'), host.connection.id],
    ] as const) {
      for (const [path, size] of [
        ['home/.cache/a/b', 500],
        ['home/.cache/node_modules/c', 70],
        ['home/work/node_modules/d', 30],
        ['home/work/node_modules/e/f', 3],
        ['home/.caches/g', 2],
      ] as const) {
        mkdirSync(dirname(join(base, path)), { recursive: true });
        writeFileSync(join(base, path), 'x'.repeat(size));
      }
      const look = async (exclude_patterns: string[]) =>
        (await preflight({ source_directories: [base], source_connection_id, exclude_patterns })).body;
      const [caches, packages] = [
        { id: 'caches', patterns: ['*/.cache'], files: 2, bytes: 570 },
        { id: 'packages', patterns: ['*/node_modules'], files: 2, bytes: 33 },
      ];
      expect(await look([])).toMatchObject({ bytes: 605, presets: [caches, packages] });
      expect(await look(caches.patterns)).toMatchObject({ bytes: 35, presets: [packages] });
      expect((await look(['*/home'])).presets).toEqual([]);
    }
  });

  test('reports unchecked patterns as incomplete', async () => {
    const { body } = await preflight({ source_directories: [folder], exclude_patterns: ['re:\\.txt$'] });
    expect(body).toMatchObject({ complete: false, unchecked_patterns: ['re:\\.txt$'], same_disk: null });
  });

  test('warns of the data folder of the service itself, unless it is excluded', async () => {
    const source_directories = [host.server.workspace.path];
    const codes = async (exclude_patterns: string[]) =>
      (await preflight({ source_directories, exclude_patterns })).body.warnings.map(
        ({ code }: { code: string }) => code,
      );
    expect(await codes([])).toContain('source_holds_data_folder');
    expect(await codes([`pp:${host.server.dataDirectory}`])).not.toContain('source_holds_data_folder');
  });

  test('checks the host of the sources and that of the repository', async () => {
    const closed = host.sshd.ownFolder('not for all');
    makeFiles(closed, 2);
    const { status, body } = await preflight({
      source_directories: [host.tree, join(host.tree, 'none')],
      source_connection_id: host.connection.id,
      path: `${host.sshd.home}/repository`,
      connection_id: host.connection.id,
    });
    expect([status, body.complete]).toEqual([200, true]);
    const count = (...test: string[]) =>
      execFileSync('find', [host.tree, ...test, '-printf', '.'], { encoding: 'utf8' }).length;
    expect(body.files).toBe(count('-type', 'f'));
    expect(body.symlinks).toBe(count('-type', 'l'));
    expect(body.missing).toEqual([join(host.tree, 'none')]);
    expect(body.free_bytes).toBeGreaterThan(0);
    expect(body.same_disk).toBeNull();
    expect(body.tool).toMatch(/^borg \d/);
  });

  test('refuses invalid settings of a repository', async () => {
    expectRefusal(await preflight({ source_directories: ['relative'] }), 400);
    expectRefusal(await preflight({ source_directories: ['/etc'], source_connection_id: 77 }), 404);
    expectRefusal(await preflight({ source_directories: ['/etc'], path: 'ssh://a/b' }), 400);
  });
});

test('warns of missing sources, and of sources that contain Holdfast, on creation', async () => {
  const path = host.server.workspace.folder('warned');
  execFileSync('chown', [`${nobody}`, path]);
  const source_directories = ['/nowhere', host.server.dataDirectory];
  const made = await api.post('/api/repositories/', {
    name: 'warned',
    path: join(path, 'r'),
    encryption: 'none',
    source_directories,
  });
  expect(made.status).toBe(201);
  const warnings = made.body.warnings.join('\n');
  expect(warnings).toContain('/nowhere does not exist');
  expect(warnings).toContain('data folder of Holdfast');
});
