import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Prepared, SourceSettings, Undo } from '@holdfast/plugin-api/source';
import { sourceSuite } from '@holdfast/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileSystems } from '../../../test/src/faults/file-systems.js';
import { hostOfCase } from '../../testkit/src/source/host.js';
import plugin from '../src/index.js';

const run = (program: string, ...words: string[]) =>
  execFileSync(program, words, { encoding: 'utf8', stdio: 'pipe' });
const group = `holdfasttest${process.pid}`;
/** A kernel without it can't have logical volumes. */
const hasMapper =
  spawnSync('dmsetup', ['version']).status === 0 && spawnSync('lvm', ['version']).status === 0;
const create = () => plugin.create({ configuration: {} } as never);

const kinds = {
  btrfs: (systems: FileSystems, path: string) => systems.btrfs(path),
  'LVM with ext4': (systems: FileSystems, path: string) =>
    systems.lvm(path, group, ['mkfs.ext4', '-q'], ['--size', '128M']),
  'LVM with XFS': (systems: FileSystems, path: string) =>
    systems.lvm(path, group, ['mkfs.xfs', '-q'], ['--size', '512M']),
  'thin LVM': (systems: FileSystems, path: string) =>
    systems.lvm(path, group, ['mkfs.ext4', '-q'], ['--thin', '--virtualsize', '128M', '--size', '256M']),
};

const able = Object.entries(kinds).filter(([kind]) => kind === 'btrfs' || hasMapper);
for (const [kind, make] of able) {
  describe(kind, () => {
    const folder = join('/dev/shm', `holdfast-snapshot-${process.pid} ${kind}`);
    const mounted = join(folder, 'disk');
    const data = join(mounted, `it's "$(data)"`);
    const file = join(data, 'ann.txt');
    const isBtrfs = kind === 'btrfs';
    let systems: FileSystems;

    beforeAll(() => {
      systems = new FileSystems();
      mkdirSync(folder);
      make(systems, mounted);
      mkdirSync(data);
      writeFileSync(file, 'Dear Ann');
    });
    afterAll(() => {
      systems?.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    const left = () => [
      ...readdirSync('/run').filter((name) => name.startsWith('holdfast-')),
      ...readFileSync('/proc/self/mountinfo', 'utf8')
        .split('\n')
        .filter((line) => line.includes('/run/holdfast-')),
      ...(isBtrfs
        ? run('btrfs', 'subvolume', 'list', mounted)
            .split('\n')
            .filter((line) => line.includes('.holdfast-'))
        : run('lvs', '--noheadings', '-o', 'lv_name', group)
            .split('\n')
            .filter((line) => line.includes('holdfast-'))),
    ];
    const context = (record: (undo: Undo) => void, folders: readonly string[]) => {
      const host = hostOfCase();
      const log = (_level: string, text: string) => void host.logged.push(text);
      const signal = new AbortController().signal;
      return {
        host,
        signal,
        log,
        folders,
        token: 'holdfast-test',
        record: async (undo: Undo) => record(undo),
      };
    };
    /** Releases in the end, as another process does. */
    async function prepared(
      settings: SourceSettings,
      folders: readonly string[],
      work: (prepared: Prepared, undo: Undo) => Promise<void>,
    ) {
      const source = await create();
      let undo: Undo = {};
      const given = context((next) => {
        undo = next;
      }, folders);
      try {
        await work(await source.prepare(settings, given), undo);
      } finally {
        await (await create()).release(settings, undo, given);
      }
      expect(left()).toEqual([]);
    }
    const check = async (settings: SourceSettings, folders: readonly string[]) =>
      (await create()).check(
        settings,
        context(() => {}, folders),
      );

    const cases = sourceSuite({
      open: async () => ({ source: await create(), close: async () => {} }),
      without: ['find', 'restore', 'prove'],
      settings: { folders: `${data}\n${mounted}` },
      failing: {
        'a folder that does not exist': { folders: join(data, 'none') },
        'a relative path': { folders: 'data' },
        'a file system without snapshots': { folders: '/dev/shm' },
        ...(!isBtrfs && kind !== 'thin LVM' && { 'no space': { folders: data, lvm_size: '900%' } }),
      },
      assertReleased: async () => expect(left()).toEqual([]),
      async vanish() {
        if (isBtrfs) run('btrfs', 'subvolume', 'delete', join(mounted, '.holdfast-suite-0'));
        else {
          run('umount', '/run/holdfast-suite-0');
          run('lvremove', '--yes', `${group}/holdfast-suite-0`);
        }
        return async () => {};
      },
    });
    for (const { name, run: verify } of cases) test(name, verify);

    test('shows each folder as it was', () =>
      prepared({}, [data, file, join(folder, 'none')], async ({ instead = [], paths }) => {
        writeFileSync(file, 'Dear Bob');
        expect(instead.map(({ path }) => path)).toEqual([data]);
        expect(paths).toEqual([]);
        expect(readFileSync(join(instead[0]?.from ?? '', 'ann.txt'), 'utf8')).toBe('Dear Ann');
        expect(() => writeFileSync(join(instead[0]?.from ?? '', 'new'), '')).toThrow('EROFS');
        writeFileSync(file, 'Dear Ann');
      }));

    test('finds folders with line breaks and symlinks', async () => {
      const odd = join(mounted, 'line\n break \n');
      mkdirSync(odd);
      run('ln', '-sfn', odd, join(folder, 'link'));
      await prepared({}, [odd, join(folder, 'link')], async ({ instead = [] }) => {
        expect(instead.map(({ path }) => path)).toEqual([odd]);
        expect(existsSync(instead[0]?.from ?? '')).toBe(true);
      });
    });

    test('adds a chosen folder to the backup, unless it reads the one around it', async () => {
      await prepared({ folders: data }, ['/etc'], async ({ paths }) => expect(paths).toEqual([data]));
      const [finding] = await check({ folders: data }, [mounted]);
      expect(finding).toMatchObject({
        status: 'failed',
        text: expect.stringContaining(`${data} is below ${mounted}`),
      });
    });

    test('notices a snapshot that vanished', () =>
      prepared({ folders: data }, [], async (_, undo) => {
        const source = await create();
        const given = context(() => {}, []);
        await source.verify?.({}, undo, given);
        await source.release({}, undo, given);
        await expect(source.verify?.({}, undo, given)).rejects.toThrow('the archive may be damaged');
      }));

    test('warns of file systems below, and of snapshots that are left', async () => {
      systems.tmpfs(join(data, 'memory'), 1);
      const other = new FileSystems();
      try {
        other.btrfs(join(data, 'other'));
        await prepared({ folders: mounted }, [], async () => {
          const texts = (await check({}, [mounted])).map(({ status, text }) => `${status} ${text}`);
          expect(texts).toEqual([
            expect.stringContaining('ok A snapshot is made for each backup:'),
            expect.stringMatching(/^warning .*holdfast-test-0 is the snapshot of another backup/),
            expect.stringContaining(`read as they are: ${join(data, 'other')}. Add them`),
          ]);
        });
      } finally {
        other.remove();
      }
    });

    if (isBtrfs)
      test('takes subvolumes below a folder with it', async () => {
        const inner = join(data, 'in ner');
        run('btrfs', 'subvolume', 'create', inner);
        writeFileSync(join(inner, 'bob.txt'), 'Dear Bob');
        run('btrfs', 'subvolume', 'snapshot', '-r', inner, join(inner, 'fixed'));
        await prepared({}, [data], async ({ instead = [] }) => {
          const shown = Object.fromEntries(instead.map(({ path, from }) => [path, from]));
          expect(Object.keys(shown)).toEqual([data, inner, join(inner, 'fixed')]);
          expect(readdirSync(shown[inner] ?? '')).toEqual(['bob.txt', 'fixed']);
          expect(shown[join(inner, 'fixed')]).toBe(join(inner, 'fixed'));
        });
      });

    if (kind === 'LVM with ext4')
      test('notices a snapshot that filled up', () =>
        prepared({ folders: data, lvm_size: '4M' }, [], async (_, undo) => {
          writeFileSync(join(data, 'much'), Buffer.alloc(12 * 1024 * 1024, 'x'));
          run('sync');
          const verified = (await create()).verify?.(
            {},
            undo,
            context(() => {}, []),
          );
          await expect(verified).rejects.toThrow('it was full');
        }));
  });
}
