import { describe, expect, it } from 'vitest';
import { type Disk, diskOf, folderOn, tilesOf } from '../src/screens/add/tiles.rules.js';

const gigabyte = 1e9;
const disk = (mount: string, more: Partial<Disk> = {}): Disk => ({
  mount,
  mounts: [mount],
  type: 'ext4',
  network: false,
  removable: false,
  writable: true,
  total_bytes: 500 * gigabyte,
  free_bytes: 100 * gigabyte,
  devices: [mount],
  ...more,
});
const root = disk('/', { mounts: ['/', '/srv/sub'], devices: ['sda'] });
const home = disk('/home', { devices: ['sda', 'sdb'], writable: false });
const data = disk('/mnt/data', { devices: ['sdc'] });
const nas = disk('/mnt/nas', { network: true, devices: [], free_bytes: 900 * gigabyte });
const disks = [root, home, data, nas];

type Host = Parameters<typeof tilesOf>[1]['hosts'][number];
const host = (id: number, available: number, status = 'connected') =>
  ({ id, status, storage: { available, total: 2 * available } }) as Host;

const named = (tiles: ReturnType<typeof tilesOf>) => tiles.map((tile) => tile.disk?.mount ?? tile.host?.id);
const here = { sources: ['/home/ann', '/mnt/data/photos'], sourceConnection: null };

describe('the disk of a path', () => {
  it('is the one with the deepest mount point above it', () => {
    expect(diskOf('/home/ann', disks)).toBe(home);
    expect(diskOf('/home', disks)).toBe(home);
    expect(diskOf('/homes', disks)).toBe(root);
    expect(diskOf('/mnt/nas/', disks)).toBe(nas);
    expect(diskOf('relative', disks)).toBeUndefined();
    expect(diskOf('', disks)).toBeUndefined();
  });
});

describe('the tiles of the wizard', () => {
  it('name the sources that share a physical disk', () => {
    const tiles = tilesOf(here, { disks, hosts: [], need: 0 });
    expect(named(tiles)).toEqual(['/mnt/nas', '/', '/mnt/data']);
    expect(tiles.map(({ shared }) => shared)).toEqual([[], ['/home/ann'], ['/mnt/data/photos']]);
  });

  it('recommend the safe one with the most space', () => {
    const hosts = [host(1, 50 * gigabyte), host(2, 2000 * gigabyte), host(3, 9000 * gigabyte, 'failed')];
    const tiles = tilesOf(here, { disks, hosts, need: 0 });
    expect(named(tiles)).toEqual([2, '/mnt/nas', 1, '/', '/mnt/data', 3]);
    expect(tiles.filter(({ isBest }) => isBest)).toHaveLength(1);
    expect(tiles[0]).toMatchObject({ isBest: true, free: 2000 * gigabyte });
  });

  it('recommend none that is too small or of unknown disks', () => {
    const strange = disk('/mnt/strange', { devices: [] });
    const tiles = tilesOf(here, { disks: [home, strange, nas], hosts: [], need: 1000 * gigabyte });
    expect(tiles.map(({ isSmall, isBest }) => [isSmall, isBest])).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(tilesOf(here, { disks: [home, strange], hosts: [], need: 0 })[0]?.isBest).toBe(false);
  });

  it('warn of the host of the sources, and of no disk here', () => {
    const there = { sources: ['/home'], sourceConnection: 1 };
    const tiles = tilesOf(there, { disks, hosts: [host(1, gigabyte), host(2, gigabyte)], need: 0 });
    expect(tiles.filter(({ shared }) => shared.length > 0).map((tile) => tile.host?.id)).toEqual([1]);
  });
});

describe('the folder on a disk', () => {
  const at = (path: string, connection_id: number | null = null) => ({ path, connection_id });

  it('is that of its newest repository, or one for the first', () => {
    const repositories = [
      at('/mnt/data/a/one'),
      at('/mnt/data/b/two/'),
      at('/mnt/data/c/there', 1),
      at('/mnt/x/y'),
    ];
    expect(folderOn(data, { disks, repositories })).toBe('/mnt/data/b');
    expect(folderOn(root, { disks, repositories })).toBe('/mnt/x');
    expect(folderOn(nas, { disks, repositories })).toBe('/mnt/nas/backups');
    expect(folderOn(root, { disks, repositories: [] })).toBe('/backups');
    expect(folderOn(disk('/mnt/backup'), { disks, repositories })).toBe('/mnt/backup');
  });
});
