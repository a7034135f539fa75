import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { FormData } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  archived,
  archivesOf,
  backUp,
  createRepository,
  download,
  endedJob,
  expectRefusal,
  passphrase,
  type Repository,
} from '../actions.js';
import type { Api } from '../api.js';
import { isDeep } from '../lane.js';
import { Borg } from '../oracles/borg.js';
import { endedRestore } from '../restore.js';
import { nobody, TestServer } from '../server.js';
import { makeFiles, makeRemarkable, remarkable } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let source: string;
let good: Repository;
let archive: string;

/** The service runs as `nobody`: nothing here may work only because root ignores modes. */
beforeAll(async () => {
  server = await TestServer.start({ unprivileged: true });
  api = await server.login();
  source = server.workspace.folder('source');
  makeFiles(join(source, 'many'), 20);
  makeRemarkable(join(source, 'remarkable'));
  const stores = own(server.workspace.folder('stores'));
  good = await createRepository(api, {
    name: 'good',
    path: join(stores, 'good'),
    source_directories: [source],
  });
  archive = (await backUp(api, good.path)).archive_name ?? '';
});
afterAll(() => server?.remove());

function own(folder: string): string {
  if (process.getuid?.() === 0) chownSync(folder, nobody, nobody);
  return folder;
}
const store = (name: string) => join(server.workspace.path, 'stores', name);
const body = (more: object) => ({
  name: 'new',
  path: store('new'),
  passphrase,
  source_directories: [source],
  ...more,
});
const create = (more: object) => api.post('/api/repositories/', body(more));
const importIt = (more: object) => api.post('/api/repositories/import', body(more));

test('refuses a restore into a folder of another user', async () => {
  const theirs = server.workspace.folder('theirs');
  chmodSync(theirs, 0o555);
  const asked = { repository: good.path, archive };
  for (const destination of [theirs, join(theirs, 'x')]) {
    const answer = await api.post('/api/restore/plan', { ...asked, destination });
    expectRefusal(answer, 400, /cannot write/);
  }
  const destination = own(server.workspace.folder('ours'));
  const plan = await api.post('/api/restore/plan', { ...asked, destination });
  expect(plan.body).toMatchObject({ can_start: true, owners: { can_be_set: false } });
  const job = await endedRestore(api, await api.post('/api/restore/start', { plan_id: plan.body.plan_id }));
  expect(job.status).toMatch(/^completed/);
  expect(readFileSync(join(destination, archived(source), 'remarkable', remarkable.deep))).toHaveLength(100);
});

test('restores the modes of closed folders last', async () => {
  const stores = server.workspace.folder('stores');
  const path = join(stores, 'closed');
  const borg = new Borg(path, server.workspace.folder('borg-by-hand'), { passphrase });
  await borg.run('init', '--encryption=repokey', path);
  await borg.run('import-tar', `${path}::closed`, tarOfClosedFolders(server.workspace.folder('tar')));
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${nobody}:${nobody}`, path]);
  const { id } = (await importIt({ name: 'closed', path })).body.repository;
  const destination = own(server.workspace.folder('closed-again'));
  const asked = { repository: path, archive: 'closed', destination };
  const job = await endedRestore(api, await api.post('/api/restore/start', asked));
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const facts = execFileSync('find', [destination, '-mindepth', '1', '-printf', '%m %P\n'], {
    encoding: 'utf8',
  });
  if (process.getuid?.() === 0) {
    expect(facts.trim().split('\n').toSorted()).toEqual(
      ['0 none', '311 none/dark', '600 none/dark/list', '640 none/dark/list/file'].toSorted(),
    );
  } else expect(facts).toMatch(/^0 none$/m);
  execFileSync('chmod', ['-R', 'u+rwx', destination]);
  expect(readFileSync(join(destination, 'none', 'dark', 'list', 'file'), 'utf8')).toBe('in there');
  expect((await api.request('DELETE', `/api/repositories/${id}`)).status).toBe(200);
});

/** Each in the other, with a file in the innermost. */
function tarOfClosedFolders(folder: string): string {
  const path = join(folder, 'closed.tar');
  const script = `
import io, sys, tarfile
with tarfile.open(sys.argv[1], 'w') as tar:
    for name, mode in [('none', 0), ('none/dark', 0o311), ('none/dark/list', 0o600), ('none/dark/list/file', 0o640)]:
        info = tarfile.TarInfo(name)
        info.mode, info.type = mode, b'0' if name.endswith('file') else b'5'
        content = b'in there' if name.endswith('file') else b''
        info.size = len(content)
        tar.addfile(info, io.BytesIO(content))
`;
  execFileSync('python3', ['-c', script, path]);
  return path;
}

/** Nothing half-made: the refused request left neither a registration nor a folder. */
async function expectNothingMade() {
  const { body } = await api.get('/api/repositories/');
  expect(body.repositories.map(({ name }: { name: string }) => name)).toEqual(['good']);
  expect(existsSync(store('new'))).toBe(false);
}

type Query = Record<string, string | number>;

describe('ids', () => {
  const places: [string, string, unknown?][] = [
    ['GET', '/api/repositories/ID'],
    ['PUT', '/api/repositories/ID', { name: 'other' }],
    ['DELETE', '/api/repositories/ID'],
    ['GET', '/api/repositories/ID/keyfile'],
    ['GET', '/api/backup/status/ID'],
    ['POST', '/api/backup/cancel/ID'],
    ['GET', '/api/backup/logs/ID/stream'],
    ['GET', '/api/archives/delete-jobs/ID'],
    ['POST', '/api/archives/delete-jobs/ID/cancel'],
    ['PUT', '/api/auth/users/ID', { is_admin: false }],
    ['DELETE', '/api/auth/users/ID'],
    ['DELETE', '/api/auth/tokens/ID'],
  ];
  test.each(places)('answers 404 to an unknown id: %s %s', async (method, path, json) => {
    expectRefusal(await api.request(method, path.replace('ID', '4711'), { json }), 404);
  });
  test.each(places)('answers 400 to an invalid id: %s %s', async (method, path, json) => {
    for (const id of ['abc', '0', '-1', '9007199254740992', '1.5', '1e3', '%20', '0x10']) {
      expectRefusal(await api.request(method, path.replace('ID', id), { json }), 400);
    }
  });
});

describe('repositories', () => {
  test('refuses a duplicate name', async () => expectRefusal(await create({ name: 'good' }), 409, /name/i));
  test('refuses a duplicate path', async () =>
    expectRefusal(await create({ path: good.path }), 409, /path|registered/i));

  test('refuses a path that is a file', async () => {
    const file = join(source, 'many', 'dir-0000', 'file-000001.txt');
    expectRefusal(
      await create({ path: file, source_directories: ['/usr/share/doc'] }),
      400,
      /file|director/i,
    );
  });

  test('refuses a path that is not writable', async () => {
    const closed = server.workspace.folder('closed');
    expectRefusal(await create({ path: join(closed, 'new') }), 400, /writ|permission/i);
    expect(readdirSync(closed)).toEqual([]);
  });

  test('refuses a folder with other files in it', async () => {
    const full = own(server.workspace.folder('stores', 'full'));
    writeFileSync(join(full, 'letter.txt'), 'dear');
    expectRefusal(await create({ path: full }), 400, /empty/i);
    expect(readdirSync(full)).toEqual(['letter.txt']);
  });

  test('refuses a path inside a source', async () => {
    expectRefusal(await create({ path: join(source, 'backups') }), 400, /inside|source/i);
    expect(existsSync(join(source, 'backups'))).toBe(false);
  });

  test('suggests an import for a path that is already a repository', async () => {
    const path = store('made-by-hand');
    const env = {
      ...process.env,
      BORG_BASE_DIR: server.workspace.folder('by-hand'),
      BORG_PASSPHRASE: passphrase,
    };
    execFileSync('borg', ['init', '-e', 'repokey', path], { env, stdio: 'ignore' });
    execFileSync('chown', ['-R', `${statSync(store('good')).uid}`, path]);
    expectRefusal(await create({ path }), 409, /import/i);
    expectRefusal(await importIt({ path, passphrase: 'not this one' }), 400, /passphrase/i);
    expectRefusal(await importIt({ path, passphrase: undefined }), 400, /passphrase/i);
    expectRefusal(await importIt({ path, name: 'good' }), 409, /name/i);
  });

  test('refuses an import without a repository', async () => {
    const empty = own(server.workspace.folder('stores', 'empty'));
    expectRefusal(await importIt({ path: empty }), 400, /repository/i);
    expectRefusal(await importIt({ path: store('nowhere') }), 400, /repository|exist/i);
    expectRefusal(await importIt({ path: good.path }), 409, /registered|path/i);
  });

  test.each([
    ['a missing passphrase', { passphrase: undefined }, /passphrase/i],
    ['an empty passphrase', { passphrase: ' ' }, /passphrase/i],
    ['missing sources in full mode', { source_directories: [] }, /source/i],
    ['a relative source', { source_directories: ['home'] }, /absolute|source/i],
    ['a source like an option', { source_directories: ['--rsh=/bin/sh'] }, /absolute|source/i],
    ['a source with NUL', { source_directories: ['/home\0'] }, /NUL|line|control/i],
    ['a source with ..', { source_directories: ['/home/../etc'] }, /\.\./],
    ['a path with ..', { path: '/tmp/../etc/new' }, /\.\./],
    ['a path with NUL', { path: '/tmp/a\0b' }, /NUL|control/i],
    ['a path with an empty part', { path: '/tmp//new' }, /empty/i],
    ['a path of another machine', { path: 'ssh://host/new' }, /connection/i],
    ['an empty name', { name: ' ' }, /name/i],
    ['a name of two lines', { name: 'a\nb' }, /name/i],
    ['a name that is a number', { name: 5 }, /name/i],
    ['no name', { name: undefined }, /name/i],
    ['no path', { path: undefined }, /path/i],
    ['an unknown encryption', { encryption: 'rot13' }, /encryption/i],
    ['an unknown compression', { compression: 'brotli' }, /compression/i],
    ['a level that the tool refuses', { compression: 'zstd,99' }, /compression/i],
    ['an unknown mode', { mode: 'half' }, /mode/i],
    ['sources that are no list', { source_directories: '/home' }, /source/i],
    ['bypass_lock in full mode', { bypass_lock: true }, /bypass_lock|observe/i],
    ['a time-out that is no number', { pre_hook_timeout: 'long' }, /pre_hook_timeout/i],
    ['flags with an open quote', { custom_flags: "--exclude 'a" }, /custom_flags/i],
    ['flags that change the output', { custom_flags: '--json' }, /--json/],
    ['flags that change the log', { custom_flags: '--log-json' }, /--log-json/],
    ['flags that change the program', { custom_flags: '--rsh=/bin/sh' }, /--rsh/],
    ['flags that make nothing', { custom_flags: '--dry-run' }, /--dry-run/],
    ['flags that name something', { custom_flags: '--one-file-system ::other /etc' }, /custom_flags|::other/],
  ])('answers 400 to %s', async (_what, more, detail) => {
    expectRefusal(await create(more), 400, detail);
    await expectNothingMade();
  });

  test('answers 404 to an unknown connection', async () => {
    expectRefusal(await create({ connection_id: 77 }), 404, /connection/i);
    await expectNothingMade();
  });
});

describe('bodies', () => {
  const send = (content: string, type = 'application/json') =>
    api.request('POST', '/api/repositories/', { body: content, headers: { 'content-type': type } });

  test('refuses invalid JSON', async () => expectRefusal(await send('{"name": '), 400, /JSON/));
  test('refuses a list instead of an object', async () => expectRefusal(await send('[]'), 400));
  test('refuses an empty body', async () => expectRefusal(await send(''), 400));
  test('refuses 20 MB', async () => expectRefusal(await send(`{"name":"${'x'.repeat(20_000_000)}"}`), 413));
  test('refuses the wrong media type', async () => expectRefusal(await send('name=a', 'text/plain'), 415));
  test('refuses an unknown encoding', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'rot13' };
    expectRefusal(await api.request('POST', '/api/repositories/', { body: '{}', headers }), 415);
  });
  test('answers 404 to an unknown route', async () => expectRefusal(await api.get('/api/nothing-here'), 404));
  test('answers 405 to a wrong method', async () => {
    const answer = await api.request('PATCH', '/api/repositories/');
    expectRefusal(answer, 405);
    expect(answer.headers.allow).toMatch(/GET/);
  });
});

describe('authentication', () => {
  test('answers 401 with the challenge to no token, a bad one, another scheme', async () => {
    const bad: Record<string, string>[] = [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: 'Basic YTpi' },
      { authorization: 'Bearer' },
    ];
    for (const headers of bad) {
      const answer = await api.request('GET', '/api/repositories/', { token: null, headers });
      expectRefusal(answer, 401);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    }
  });

  test('answers 403 to other users without details of the object', async () => {
    await api.post('/api/auth/users', { username: 'bert', password: 'a password for bert' });
    const bert = await server.login('bert', 'a password for bert');
    for (const id of [good.id, 4711]) {
      expectRefusal(await bert.delete(`/api/repositories/${id}`), 403);
      expectRefusal(await bert.get(`/api/repositories/${id}/keyfile`), 403);
    }
    expectRefusal(await bert.post('/api/repositories/', {}), 403);
    expectRefusal(await bert.delete('/api/archives/none', { repository: good.path }), 403);
    expect((await bert.get('/api/repositories/')).status).toBe(200);
  });
});

describe('backups', () => {
  test('refuses an unknown repository', async () => {
    expectRefusal(
      await api.post('/api/backup/start', { repository: '/no/such' }),
      404,
      /no\/such|repository/i,
    );
  });
  test('refuses a missing or ill-typed repository', async () => {
    expectRefusal(await api.post('/api/backup/start', {}), 400, /repository/i);
    expectRefusal(await api.post('/api/backup/start', { repository: ['a'] }), 400, /repository/i);
  });
  test('refuses bad queries', async () => {
    const bad: Query[] = [{ limit: 'many' }, { limit: '-1' }, { scheduled_only: 'perhaps' }];
    for (const query of bad) {
      expectRefusal(await api.get('/api/backup/jobs', query), 400);
    }
  });

  test('refuses or fails a backup if all sources are missing', async () => {
    const path = store('missing-all');
    await createRepository(api, {
      name: 'missing all',
      path,
      source_directories: ['/no/such/folder', '/nor/this'],
    });
    const started = await api.post('/api/backup/start', { repository: path });
    expectRefusal(started, 400, /\/no\/such\/folder/);
    expect(await archivesOf(api, path)).toEqual([]);
  });

  test('warns and names the missing one of two sources', async () => {
    const path = store('missing-one');
    await createRepository(api, {
      name: 'missing one',
      path,
      source_directories: [source, '/no/such/folder'],
    });
    const job = await backUp(api, path);
    expect(job.status).toBe('completed_with_warnings');
    expect(job.error_message).toContain('/no/such/folder');
    expect(await archivesOf(api, path)).toHaveLength(1);
  });

  test('fails for an unreadable home, and warns if there is another source', async () => {
    const closed = server.workspace.folder('unreadable');
    writeFileSync(join(closed, 'a.txt'), 'a');
    chmodSync(closed, 0o700);
    // Read as `nobody`; where the tests have no root, the owner is shut out as well.
    if (process.getuid?.() !== 0) chmodSync(closed, 0);
    const below = join(closed, 'below');
    const all = { home: [closed], below: [below, closed] };
    for (const [name, sources] of Object.entries(all).slice(0, isDeep ? 2 : 1)) {
      const path = store(`unreadable-${name}`);
      const input = { name: `unreadable ${name}`, path, source_directories: sources, freshness_hours: 24 };
      const { id } = await createRepository(api, input);
      const job = await backUp(api, path);
      expect([job.status, job.error_message]).toEqual(['failed', expect.stringContaining(closed)]);
      expect(await archivesOf(api, path)).toEqual([]);
      const { repositories } = (await api.get('/api/system/protection')).body;
      const told = repositories.find((each: { id: number }) => each.id === id);
      expect(told).toMatchObject({ status: 'unknown', newest_archive: null });
    }
    const path = store('unreadable-beside');
    const input = { name: 'unreadable beside', path, source_directories: [source, closed] };
    await createRepository(api, input);
    const job = await backUp(api, path);
    expect([job.status, job.error_message]).toEqual([
      'completed_with_warnings',
      expect.stringContaining(closed),
    ]);
    chmodSync(closed, 0o700);
  });

  test('fails without an archive if everything is excluded', async () => {
    const path = store('excluded');
    await createRepository(api, {
      name: 'excluded',
      path,
      source_directories: [source],
      exclude_patterns: ['**'],
    });
    const job = await backUp(api, path);
    expect(job.status).toBe('failed');
    expect(job.error_message).toMatch(/\w/);
    expect(await archivesOf(api, path)).toEqual([]);
  });

  test('refuses a backup of a repository in observe mode', async () => {
    const path = store('observe');
    await createRepository(api, { name: 'observe', path, mode: 'observe', source_directories: [] });
    expectRefusal(await api.post('/api/backup/start', { repository: path }), 400, /observe/);
    expectRefusal(await api.delete('/api/archives/any', { repository: path }), 400, /observe/);
  });

  test('returns an empty page for a job log without lines', async () => {
    const started = [];
    for (let n = 0; n < 2; n++) started.push(await api.post('/api/backup/start', { repository: good.path }));
    const [first, waiting] = started.map(({ body }) => body.job_id as number);
    const page = await api.get(`/api/backup/logs/${waiting}/stream`);
    expect(page.body).toMatchObject({ status: 'pending', lines: [], total_lines: 0 });
    const query = { token: api.token ?? '' };
    expectRefusal(await api.get(`/api/backup/logs/${waiting}/download`, query, { token: null }), 404);
    for (const id of [first, waiting]) {
      const job = await endedJob(api, id ?? 0);
      expect(job.status).toBe('completed');
      await api.delete(`/api/archives/${job.archive_name}`, { repository: good.path });
    }
    await waitFor(async () => (await archivesOf(api, good.path)).length === 1, { what: 'the deletions' });
  });
});

describe('archives', () => {
  const inArchive = (...parts: string[]) => archived(join(source, ...parts));
  const fetchFile = (path: string, name = archive) =>
    download(api, { repository: good.path, archive: name, path });

  test('refuses an unknown repository', async () => {
    expectRefusal(await api.get('/api/archives/list', { repository: '/no/such' }), 404);
    expectRefusal(await api.get('/api/archives/list'), 400, /repository/);
  });

  test.each(['none-such', '-x', '--rsh=sh', '../good', 'a::b', 'a\nb', '*', '', 'x'.repeat(2000)])(
    'refuses an archive named %j and never treats it as an option',
    async (name) => {
      for (const method of ['GET', 'DELETE']) {
        const path = `/api/archives/${encodeURIComponent(name)}${method === 'GET' ? '/info' : ''}`;
        const answer = await api.request(method, path, { query: { repository: good.path } });
        expect([400, 404, 405]).toContain(answer.status);
        expectRefusal(answer, answer.status);
      }
      expect(await archivesOf(api, good.path)).toHaveLength(1);
    },
  );

  test.each(['--rsh=sh', '-x', '../good', "'; touch /tmp/x"])(
    'answers 404 to a repository %j',
    async (repository) => {
      expectRefusal(await api.get('/api/archives/list', { repository }), 404);
    },
  );

  test.each([
    ['a directory', () => inArchive('many'), 400],
    ['a missing file', () => inArchive('none.txt'), 404],
    ['a symlink', () => inArchive('remarkable', remarkable.linkToFile), 400],
    ['a dangling symlink', () => inArchive('remarkable', remarkable.dangling), 400],
    ['a path with ..', () => `${inArchive('many')}/../../etc/passwd`, 400],
    ['a path with NUL', () => `${inArchive('many')}\0`, 400],
    ['a path with an empty part', () => `${inArchive()}//many`, 400],
    ['a path like an option', () => '--stdout', 404],
    ['a pattern', () => 're:.*', 404],
    ['a glob', () => `${inArchive('many')}/*`, 404],
  ])('refuses a download of %s', async (_what, path, status) => {
    expectRefusal(await fetchFile(path()), status);
  });

  test('refuses a download from an unknown archive', async () => {
    expectRefusal(await fetchFile(inArchive('many'), 'none-such'), 404, /none-such/);
  });

  test('refuses a download without a token or with a bad one', async () => {
    const query = { repository: good.path, archive, file_path: inArchive('remarkable', remarkable.unicode) };
    expectRefusal(await api.get('/api/archives/download', query, { token: null }), 401);
    const bad = await api.get('/api/archives/download', { ...query, token: 'bad' }, { token: null });
    expectRefusal(bad, 401);
  });

  test('refuses the contents of a missing path, a file and a bad path', async () => {
    const contents = (path: string) =>
      api.get(`/api/archives/${encodeURIComponent(archive)}/contents`, { repository: good.path, path });
    expectRefusal(await contents(inArchive('none')), 404);
    expect([400, 404]).toContain((await contents(inArchive('remarkable', remarkable.unicode))).status);
    expectRefusal(await contents('a/../b'), 400);
    expectRefusal(await contents('a\0'), 400);
  });

  test('refuses bad limits', async () => {
    const path = `/api/archives/${encodeURIComponent(archive)}/info`;
    const bad: Query[] = [{ file_limit: 'x' }, { file_limit: -1 }, { include_files: 'maybe' }];
    for (const query of bad) {
      expectRefusal(await api.get(path, { repository: good.path, ...query }), 400);
    }
  });
});

describe('key files', () => {
  test('refuses one that is too large, empty, in another format or unneeded', async () => {
    const upload = (content: string) => {
      const form = new FormData();
      form.append('keyfile', new Blob([content]), 'keyfile');
      return api.request('POST', `/api/repositories/${good.id}/keyfile`, { body: form });
    };
    expectRefusal(await upload('x'), 400);
    expectRefusal(await upload('x'.repeat(70_000)), 413);
    const form = new FormData();
    expectRefusal(await api.request('POST', `/api/repositories/${good.id}/keyfile`, { body: form }), 400);
  });
});

describe('the tool', () => {
  async function withBorg(script: string | null, look: (session: Api, other: TestServer) => Promise<void>) {
    const folder = server.workspace.folder(`bin-${script === null ? 'none' : 'old'}`);
    for (const name of ['setpriv', 'sh', 'nice']) {
      const target = execFileSync('which', [name]).toString().trim();
      execFileSync('ln', ['-sf', target, join(folder, name)]);
    }
    if (script !== null) {
      writeFileSync(join(folder, 'borg'), script, { mode: 0o755 });
    }
    const other = await TestServer.start({ env: { PATH: folder } });
    try {
      await look(await other.login(), other);
    } finally {
      await other.remove();
    }
  }

  test('runs without borg, reports it and creates nothing', async () => {
    await withBorg(null, async (session, other) => {
      expect((await session.get('/api/system/info')).body.bk_version).toBeNull();
      const path = join(other.workspace.path, 'new');
      const answer = await session.post('/api/repositories/', {
        name: 'n',
        path,
        passphrase,
        source_directories: ['/usr'],
      });
      expect([500, 503]).toContain(answer.status);
      expectRefusal(answer, answer.status, /borg/i);
      expect((await session.get('/api/repositories/')).body.repositories).toEqual([]);
    });
  });

  test('names the version of a borg that is too old', async () => {
    await withBorg('#!/bin/sh\necho "borg 1.1.17"\n', async (session, other) => {
      const path = join(other.workspace.path, 'new');
      const answer = await session.post('/api/repositories/', {
        name: 'n',
        path,
        passphrase,
        source_directories: ['/usr'],
      });
      expect([500, 503]).toContain(answer.status);
      expectRefusal(answer, answer.status, /1\.1\.17|too old|1\.2/);
      expect((await session.get('/api/repositories/')).body.repositories).toEqual([]);
    });
  });
});
