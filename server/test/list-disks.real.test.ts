import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Mount, parseMounts } from '@holdfast/plugin-api/files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { devicesBehind, fileSystemsOf, listDisks } from '../src/adapters/list-disks.js';

const table = [
  '22 27 0:21 / /proc rw,relatime - proc proc rw',
  '24 27 0:6 / /dev rw - devtmpfs devtmpfs rw,size=12334460k',
  '26 27 0:25 / /tmp rw - tmpfs tmpfs rw',
  '27 1 253:1 / / rw,relatime shared:1 - ext4 /dev/mapper/vg-root rw',
  '28 27 8:1 / /boot/efi rw - vfat /dev/sda1 rw',
  '29 27 253:1 /home /srv/home rw - ext4 /dev/mapper/vg-root rw',
  '30 27 8:17 / /mnt/my\\040disk rw shared:2 master:1 - xfs /dev/sdb1 rw',
  '31 27 8:17 /sub /m ro - xfs /dev/sdb1 rw',
  '32 27 0:50 / /mnt/nas rw - nfs4 nas:/share rw',
  '33 27 0:51 / /run/media/ann/stick rw - vfat /dev/sdc1 rw',
  '34 27 8:33 / /run/media/ann/stick rw - vfat /dev/sdc1 rw',
  '35 27 7:1 / /snap/core/1 ro - squashfs /dev/loop1 ro',
  '36 27 0:60 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw',
  '37 27 253:1 /d /data rw - ext4 /dev/mapper/vg-root rw',
  '38 27 0:70 / /run/user/1000/doc rw - fuse.portal portal rw',
  '39 27 0:71 @ /pool rw - btrfs /dev/sdd rw,subvol=/@',
  '40 27 11:0 / /media/cd ro - iso9660 /dev/sr0 ro',
  '41 27 0:72 / /tank/a rw - zfs tank/a rw',
  'nonsense',
].join('\n');
const mounts = parseMounts(table);
const at = (point: string) => mounts.find((mount) => mount.point === point) as Mount;
const pointsOf = (some: readonly Mount[][]) => some.map((group) => group.map(({ point }) => point));

describe('file systems that can keep repositories', () => {
  it('are found among those of the system, once each', () => {
    expect(pointsOf(fileSystemsOf(mounts, '/var/lib/holdfast'))).toEqual([
      ['/', '/data', '/srv/home'],
      ['/pool'],
      ['/tank/a'],
      ['/mnt/nas'],
      ['/mnt/my disk', '/m'],
      ['/run/media/ann/stick'],
    ]);
  });

  it('are not proposed at a read-only mount or in the data folder', () => {
    const container = parseMounts(
      '1 0 0:99 / / rw - overlay overlay rw\n' +
        '2 1 8:2 /home /home ro - ext4 /dev/sda2 rw\n' +
        '3 1 8:2 /v/data /data rw - ext4 /dev/sda2 rw\n' +
        '4 1 8:2 /v/hosts /etc/hosts rw - ext4 /dev/sda2 rw\n' +
        '5 1 8:2 /v/backups /backups rw - ext4 /dev/sda2 rw',
    );
    expect(pointsOf(fileSystemsOf(container, '/data'))).toEqual([['/'], ['/backups', '/home', '/data']]);
  });

  it('have the space that df reports', async () => {
    const disks = await listDisks('/nowhere');
    const own = disks.find((disk) => disk.mounts.includes('/'));
    expect(own).toMatchObject({ network: false, mount: expect.stringMatching(/^\//) });
    const told = execFileSync('df', ['--block-size=1', '--output=avail', own?.mount ?? ''], {
      encoding: 'utf8',
    });
    expect(Math.abs((own?.free ?? 0) - Number(told.split('\n')[1]))).toBeLessThan(2 ** 30);
  });
});

describe('the disks behind a file system', () => {
  let sys: string;
  beforeEach(() => {
    sys = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-sys-')));
  });
  afterEach(() => rmSync(sys, { recursive: true }));

  /** A folder of the kernel, and what leads to it. */
  function block(path: string, number: string | null, { slaves = [] as string[], partition = false } = {}) {
    const folder = join(sys, 'devices', path);
    mkdirSync(join(folder, 'slaves'), { recursive: true });
    if (partition) writeFileSync(join(folder, 'partition'), '1\n');
    for (const slave of slaves)
      symlinkSync(join(sys, 'devices', slave), join(folder, 'slaves', slave.split('/').at(-1) ?? ''));
    if (number !== null) link(folder, 'dev', 'block', number);
    return folder;
  }
  function link(to: string, ...names: string[]) {
    mkdirSync(dirname(join(sys, ...names)), { recursive: true });
    symlinkSync(to, join(sys, ...names));
  }
  const behind = (mount: Mount) =>
    devicesBehind(mount, mounts, { sys }).map((path) => path.split('/').at(-1));

  it('are found through partitions, encryption and a RAID', () => {
    for (const name of ['sda', 'sdb']) {
      block(`pci/usb1/${name}`, null);
      block(`pci/usb1/${name}/${name}2`, null, { partition: true });
    }
    block('virtual/md0', null, { slaves: ['pci/usb1/sda/sda2', 'pci/usb1/sdb/sdb2'] });
    block('virtual/dm-0', null, { slaves: ['virtual/md0'] });
    block('virtual/dm-1', '253:1', { slaves: ['virtual/dm-0'] });
    expect(behind(at('/'))).toEqual(['sda', 'sdb']);
  });

  it('are those of the file system that an image is in', () => {
    block('pci/sdb', null);
    block('pci/sdb/sdb1', '8:17', { partition: true });
    const loop = block('virtual/loop0', '7:0');
    mkdirSync(join(loop, 'loop'));
    writeFileSync(join(loop, 'loop', 'backing_file'), '/mnt/my disk/image\n');
    expect(behind({ ...at('/'), device: '7:0' })).toEqual(['sdb']);
  });

  it('are all of a file system on several, and the pool of ZFS', () => {
    // A name that every machine has.
    for (const name of ['null', 'sde'])
      link(block(`pci/${name}`, null), 'fs', 'btrfs', 'id', 'devices', name);
    expect(behind({ ...at('/pool'), source: '/dev/null' }).toSorted()).toEqual(['null', 'sde']);
    expect(behind(at('/tank/a'))).toEqual(['tank']);
  });

  it('are unknown for network folders and without the files of the kernel', () => {
    expect(behind(at('/mnt/nas'))).toEqual([]);
    expect(behind(at('/'))).toEqual([]);
  });
});
