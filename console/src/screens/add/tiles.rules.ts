import type { Schemas } from '../../api/client.js';
import { type Draft, isBelow } from './draft.rules.js';

export type Disk = Schemas['DiskView'];
type Host = Schemas['ConnectionView'];

/** Where backups can go: a disk or a network folder of this server, or a host. */
export interface Tile {
  /** Null: a host. */
  disk: Disk | null;
  host: Host | null;
  free: number | null;
  total: number | null;
  /** Sources on the same disk or host. */
  shared: string[];
  isSmall: boolean;
  isBest: boolean;
}

interface World {
  disks: readonly Disk[];
  hosts: readonly Host[];
  /** Bytes of the sources, as far as they are counted. */
  need: number;
}

/** The disk that a path of this server is on, by its letters. */
export function diskOf(path: string, disks: readonly Disk[]): Disk | undefined {
  const depth = ({ mounts }: Disk) =>
    Math.max(0, ...mounts.filter((mount) => isBelow(path, mount)).map(({ length }) => length));
  const found = [...disks].sort((a, b) => depth(b) - depth(a))[0];
  return found && depth(found) > 0 ? found : undefined;
}

/** Those that can be recommended come first, by their free space. */
export function tilesOf(
  { sources, sourceConnection }: Pick<Draft, 'sources' | 'sourceConnection'>,
  { disks, hosts, need }: World,
): Tile[] {
  const here = sourceConnection === null ? sources : [];
  const isOn = (source: string, disk: Disk) => {
    const own = diskOf(source, disks);
    return own === disk || own?.devices.some((name) => disk.devices.includes(name));
  };
  const ofDisk = (disk: Disk) => ({
    disk,
    host: null,
    free: disk.free_bytes,
    total: disk.total_bytes,
    shared: here.filter((source) => isOn(source, disk)),
    // Of a disk that nothing is known of, nobody can say that it is another one.
    isKnown: disk.network || disk.devices.length > 0 || here.length === 0,
  });
  const ofHost = (host: Host) => ({
    disk: null,
    host,
    free: host.storage?.available ?? null,
    total: host.storage?.total ?? null,
    shared: host.id === sourceConnection ? sources : [],
    isKnown: host.status === 'connected',
  });
  return [...disks.filter(({ writable }) => writable).map(ofDisk), ...hosts.map(ofHost)]
    .map(({ isKnown, ...tile }) => {
      const isSmall = tile.free !== null && tile.free < need;
      return { ...tile, isSmall, room: isKnown && !isSmall && !tile.shared[0] ? (tile.free ?? 0) : 0 };
    })
    .sort((a, b) => b.room - a.room)
    .map((tile, at) => ({ ...tile, isBest: at === 0 && tile.room > 0 }));
}

export interface Repository {
  path: string;
  connection_id: number | null;
}

/** The folder of the newest local repository, because most users have one disk for all of them. */
export function parentOf(repositories: readonly Repository[]): string {
  const local = repositories.filter(
    ({ path, connection_id }) => connection_id === null && path.startsWith('/'),
  );
  return local.at(-1)?.path.replace(/\/[^/]+\/?$/, '') ?? '';
}

/** The folder of the repositories that are on a disk, or one for the first. */
export function folderOn(
  disk: Disk,
  { disks, repositories }: { disks: readonly Disk[]; repositories: readonly Repository[] },
): string {
  const there = parentOf(repositories.filter(({ path }) => diskOf(path, disks) === disk));
  return there || (/backups?$/i.test(disk.mount) ? disk.mount : `${disk.mount.replace(/\/$/, '')}/backups`);
}
