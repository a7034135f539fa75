import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, archivesOf, backUp, contentsOf, download, type Job, type Repository } from '../actions.js';
import { asTarKeeps, treeFacts } from '../oracles/tree-facts.js';
import { PullFixture } from '../pull-fixture.js';
import { makeFiles } from '../trees.js';

let host: PullFixture;
let repository: Repository;
let job: Job;

/** In place of the host's tar: whoever took the host over may send what they want. */
async function withTar(script: string, work: () => Promise<void>): Promise<void> {
  const folder = host.sshd.ownFolder('bin');
  const start = join(host.sshd.home, '.bashrc');
  const tar = join(folder, 'tar');
  writeFileSync(start, `export PATH=${folder}:$PATH\n`);
  writeFileSync(tar, `#!/bin/sh\n[ "$1" = --version ] && exec /usr/bin/tar --version\n${script}\n`);
  chmodSync(tar, 0o755);
  host.sshd.own(tar);
  await work().finally(() => {
    rmSync(start);
    rmSync(folder, { recursive: true });
  });
}

/** A tar of files with these names, then of hard links: name and source. */
function hostileTar(file: string, names: string[], links: [string, string][] = []): void {
  const script = `
import io, json, sys, tarfile
file, names, links = json.loads(sys.argv[1])
with tarfile.open(file, 'w', format=tarfile.PAX_FORMAT) as tar:
    for name in names:
        member = tarfile.TarInfo(name); member.size = 4
        tar.addfile(member, io.BytesIO(b'evil'))
    for name, source in links:
        member = tarfile.TarInfo(name); member.type = tarfile.LNKTYPE; member.linkname = source
        tar.addfile(member)
`;
  execFileSync('python3', ['-c', script, JSON.stringify([file, names, links])]);
}

beforeAll(async () => {
  host = await PullFixture.start();
});
afterAll(() => host?.remove());

test('transfers every kind of file unchanged', async () => {
  repository = await host.create('tar');
  expect(repository).toMatchObject({ source_ssh_connection_id: host.connection.id, connection_id: null });
  job = await host.pull(repository);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(asTarKeeps(treeFacts(host.extracted(repository, job.archive_name ?? '')))).toEqual(
    asTarKeeps(treeFacts(host.tree)),
  );
  expect(host.sshd.commands()).toEqual([]);
});

test('logs the limitations of this method', async () => {
  const log = await host.logOf(job);
  expect(log).toMatch(/extended attributes|xattr/i);
  expect(log).toMatch(/all data|reads all|every run/i);
});

test('is browsed and downloaded under the paths of the host', async () => {
  const place = { repository: repository.path, archive: job.archive_name ?? '' };
  const items = await contentsOf(host.api, { ...place, path: archived(host.tree) });
  expect(items.map(({ name }) => name)).toContain('private');
  const file = await download(host.api, { ...place, path: archived(join(host.tree, 'private')) });
  expect(file.bytes.equals(readFileSync(join(host.tree, 'private')))).toBe(true);
});

test('adds an archive with almost no data in the second run', async () => {
  const second = await host.pull(repository);
  expect(second.status).toBe('completed');
  expect(await archivesOf(host.api, repository.path)).toHaveLength(2);
});

test('excludes files by pattern', async () => {
  const some = await host.create('some', { exclude_patterns: ['*/sticky', '*.txt'] });
  const done = await host.pull(some);
  expect([done.status, done.error_message]).toEqual(['completed', null]);
  const items = await contentsOf(host.api, {
    repository: some.path,
    archive: done.archive_name ?? '',
    path: archived(host.tree),
  });
  expect(items.map(({ name }) => name)).not.toContain('sticky');
  expect(items.map(({ name }) => name)).toContain('private');
});

test('refuses and names paths that would leave the restore folder', async () => {
  const stream = join(host.sshd.home, 'stream.tar');
  const repository = await host.create('hostile');
  await withTar(`exec cat ${stream}`, async () => {
    hostileTar(stream, ['home/a', 'home/../../../x', 'home/b'], [['home/h', 'home/../../etc/passwd']]);
    const job = await backUp(host.api, repository.path);
    expect(job.status).toBe('completed_with_warnings');
    expect(job.error_message).toMatch(/home\/\.\.\/\.\.\/\.\.\/x: rejected.*home\/h: rejected/);
    const archive = `${repository.path}::${job.archive_name}`;
    expect(host.borg(['list', '--format={path}{NL}', archive]).trim().split('\n')).toEqual([
      'home/a',
      'home/b',
    ]);

    hostileTar(stream, ['home/../../../x']);
    const nothing = await backUp(host.api, repository.path);
    expect([nothing.status, nothing.error_message]).toEqual([
      'failed',
      expect.stringContaining('The host sent nothing that may be archived. home/../../../x: rejected'),
    ]);
    writeFileSync(stream, Buffer.alloc(10_240, 'x'));
    expect((await backUp(host.api, repository.path)).error_message).toContain('a valid GNU tar stream');
    expect(await archivesOf(host.api, repository.path)).toHaveLength(1);
  });
});

test.each([
  ['exec /usr/bin/tar "$@"', /of-root: Cannot open: Permission denied/],
  ['/usr/bin/tar "$@" 2>/dev/null', /tar on the host ended with code 2.*gave no reason/],
])('reports an incomplete tar stream even behind a wrapper: %s', async (script, said) => {
  const folder = host.sshd.ownFolder('wrapped');
  makeFiles(folder, 1);
  writeFileSync(join(folder, 'of-root'), 'secret', { mode: 0o600 });
  const repository = await host.create(`wrapped-${script.length}`, { source_directories: [folder] });
  await withTar(script, async () => {
    const job = await backUp(host.api, repository.path);
    expect([job.status, job.error_message]).toEqual(['completed_with_warnings', expect.stringMatching(said)]);
  });
});
