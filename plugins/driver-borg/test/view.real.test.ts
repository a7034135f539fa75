import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { BackupDriver, CreateArchiveInput, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileSystems } from '../../../test/src/faults/file-systems.js';
import { viewPrefix } from '../src/view.js';
import { makeDriver, stopAndRemove } from './make-driver.js';

describe('an archive of a folder at another place', () => {
  const folder = mkdtempSync('/dev/shm/holdfast-view-');
  const source = join(folder, `it's "$(source)"\n 1`);
  const snapshot = join(source, '.snapshot');
  const lists = join(folder, 'lists');
  /** Others mount things meanwhile. */
  const mounts = () =>
    readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .filter((line) => line.includes(folder));
  let systems: FileSystems;
  let driver: BackupDriver;
  let target: RepositoryTarget;
  let before: string[];

  /** A subvolume with one below it and another file system. The snapshot differs from what is there now. */
  beforeAll(async () => {
    systems = new FileSystems();
    systems.btrfs(source);
    const btrfs = (...words: string[]) => execFileSync('btrfs', ['subvolume', ...words], { stdio: 'pipe' });
    btrfs('create', join(source, 'nested'));
    systems.tmpfs(join(source, 'mounted'), 1);
    mkdirSync(join(source, 'data'));
    writeFileSync(join(source, 'ann.txt'), 'Dear Ann');
    writeFileSync(join(source, 'nested', 'bob.txt'), 'Dear Bob');
    writeFileSync(join(source, 'mounted', 'eve.txt'), 'Dear Eve');
    btrfs('snapshot', '-r', source, snapshot);
    appendFileSync(join(source, 'ann.txt'), ' and Bob');
    const borg = join(folder, 'borg');
    writeFileSync(borg, listing, { mode: 0o755 });
    driver = await makeDriver(join(source, 'data'), borg);
    const location = join(folder, 'repository');
    target = { uid: 'view', location, passphrase: 'secret', keyFile: null, remoteToolPath: null };
    await driver.init(target, { encryption: 'repokey' });
    before = mounts();
  });
  afterAll(async () => {
    await stopAndRemove(join(source, 'data'));
    systems?.remove();
    rmSync(folder, { recursive: true });
  });

  /** Borg that writes how it treated each file to a file of ours. */
  const listing = `#!/bin/sh
[ "$1" = create ] || exec borg "$@"
shift
exec borg create --list "$@" 2>'${lists}'
`;
  const input = (name: string, more: Partial<CreateArchiveInput> = {}): CreateArchiveInput => ({
    name,
    comment: '',
    sources: [source],
    excludePatterns: [`pp:${join(source, 'data')}`],
    compression: 'lz4',
    customFlags: [],
    overlays: [{ path: source, from: snapshot }],
    ...more,
  });
  const contents = async (archive: string) => {
    const found: [string, string][] = [];
    for await (const entries of driver.listEntries(target, { archive }))
      for (const { path, type } of entries)
        if (type === 'file') found.push([path, await text(driver.readFile(target, { archive, path }))]);
    return Object.fromEntries(found.map(([path, held]) => [path.replace(source.slice(1), 'SOURCE'), held]));
  };

  const nested = { path: join(source, 'nested'), from: join(source, 'nested') };

  it('has the content of the snapshot under the original paths', async () => {
    const { value, warnings } = await driver.createArchive(target, input('snapshot'));
    expect(warnings).toEqual([]);
    expect(value.archive.name).toBe('snapshot');
    expect(await contents('snapshot')).toEqual({
      'SOURCE/ann.txt': 'Dear Ann',
      'SOURCE/mounted/eve.txt': 'Dear Eve',
    });
    expect(mounts()).toEqual(before);
  });

  it('has subvolumes that are shown in the snapshot, and streams', async () => {
    const streams = [
      { path: 'holdfast-sources/test', open: async () => Readable.from([Buffer.from('dump')]) },
    ];
    const overlays = [nested, { path: source, from: snapshot }];
    await driver.createArchive(target, input('nested', { overlays, streams }));
    expect(await contents('nested')).toMatchObject({
      'holdfast-sources/test': 'dump',
      'SOURCE/ann.txt': 'Dear Ann',
      'SOURCE/nested/bob.txt': 'Dear Bob',
    });
  });

  it('does not read unchanged files again', async () => {
    // Borg does not trust files that are as new as the last backup.
    writeFileSync(join(source, 'newer.txt'), '');
    const treated: (string | undefined)[] = [];
    for (const name of ['first', 'second']) {
      const from = join(source, `.${name}`);
      execFileSync('btrfs', ['subvolume', 'snapshot', '-r', source, from], { stdio: 'pipe' });
      await driver.createArchive(target, input(name, { overlays: [{ path: source, from }] }));
      treated.push(/"status": "(.)", "path": ".*ann\.txt"/.exec(readFileSync(lists, 'utf8'))?.[1]);
    }
    expect(treated).toEqual([expect.stringMatching(/^[AM]$/), 'U']);
  });

  it('is pulled from another host as a tar stream', async () => {
    const host = {
      name: 'ann@nas',
      toolPath: null,
      run: async (words: readonly string[]) => processOf(words),
    };
    const overlays = [nested, { path: source, from: snapshot }];
    const pulled = await driver.pullArchive?.(target, {
      ...input('pulled', { overlays }),
      host,
      way: 'tool',
    });
    expect([pulled?.value.way, pulled?.warnings]).toEqual(['tar', []]);
    expect(await contents('pulled')).toEqual({
      'SOURCE/ann.txt': 'Dear Ann',
      'SOURCE/mounted/eve.txt': 'Dear Eve',
      'SOURCE/nested/bob.txt': 'Dear Bob',
    });
    expect(mounts()).toEqual(before);
  });

  it.each([
    [
      'a path with a symlink',
      { path: join(folder, 'link'), from: snapshot },
      'is not the real path of a folder.',
    ],
    ['a snapshot that is gone', { path: source, from: join(source, 'gone') }, 'gone cannot be mounted at'],
  ])('is not made with %s', async (name, overlay, problem) => {
    symlinkSync(source, join(folder, 'link'));
    try {
      const host = {
        name: 'ann@nas',
        toolPath: null,
        run: async (words: readonly string[]) => processOf(words),
      };
      const wrong = input(name, { overlays: [overlay] });
      await expect(driver.createArchive(target, wrong)).rejects.toThrow(problem);
      await expect(driver.pullArchive?.(target, { ...wrong, host, way: 'tar' })).rejects.toThrow(problem);
    } finally {
      rmSync(join(folder, 'link'));
    }
    const { value } = await driver.listArchives(target, {});
    expect(value.map((archive) => archive.name)).not.toContain(name);
    expect(mounts()).toEqual(before);
  });

  it('is not made without root', async () => {
    const wrong = input('not root');
    const host = {
      name: 'ann@nas',
      toolPath: null,
      run: async (words: readonly string[]) => processOf(['setpriv', '--bounding-set=-sys_admin', ...words]),
    };
    const pulled = driver.pullArchive?.(target, { ...wrong, host, way: 'tar' });
    await expect(pulled).rejects.toThrow('Snapshots can only be backed up as root');
  });

  it('shows the root folder from a snapshot, and keeps no mounts of others busy', () => {
    const root = join(source, 'root');
    execFileSync('btrfs', ['subvolume', 'create', root], { stdio: 'pipe' });
    for (const name of ['bin', 'lib', 'lib64', 'sbin']) symlinkSync(`usr/${name}`, join(root, name));
    for (const name of ['dev', 'etc', 'proc', 'run', 'sys', 'usr', 'work']) mkdirSync(join(root, name));
    writeFileSync(join(root, 'etc', 'passwd'), '');
    const other = `/run/holdfast-${process.pid}`;
    systems.tmpfs(other, 1);
    try {
      const table = readFileSync('/proc/self/mountinfo', 'latin1');
      const view = viewPrefix([{ path: '/', from: root }], {
        table,
        keep: ['/usr', '/etc/passwd', '/etc/hosts'],
      });
      const [program = '', ...words] = [
        ...view,
        'sh',
        '-c',
        'echo /* /etc/*; cat /etc/passwd /proc/self/mountinfo',
      ];
      const said = execFileSync(program, words, { encoding: 'utf8', cwd: '/' });
      expect(said.split('\n')[0]).toBe(
        '/bin /dev /etc /lib /lib64 /proc /run /sbin /sys /usr /work /etc/passwd',
      );
      expect(said).toContain(readFileSync('/etc/passwd', 'utf8'));
      expect(said).not.toContain(other);
      expect(readFileSync('/proc/self/mountinfo', 'latin1')).toContain(other);
    } finally {
      execFileSync('umount', [other]);
      rmdirSync(other);
    }
    expect(mounts()).toEqual(before);
  });
});

function processOf([program = '', ...args]: readonly string[]) {
  const child = spawn(program, args);
  const exit = once(child, 'close').then(([code]) => ({ code, signal: null }));
  return { stdin: child.stdin, stdout: child.stdout.pipe(new PassThrough()), stderr: child.stderr, exit };
}
