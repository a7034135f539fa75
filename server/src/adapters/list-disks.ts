import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Disk, FileSystem } from '@holdfast/core/server';
import { nameOfBytes } from '@holdfast/plugin-api/driver';
import { isBelow, type Mount, mounted, stat, statfs } from '@holdfast/plugin-api/files';

/** Each is asked by a process of its own. */
const mostAsked = 32;
const patienceMs = 3_000;

const network =
  /^(nfs|cifs|smb|ceph|afs|lustre|beegfs|davfs|fuse\.(sshfs|rclone|s3fs|glusterfs|ceph|davfs|curlftpfs|mfs|juicefs|gcsfuse))/;
/** Those that keep files although they have no block device of their own. */
const virtual = /^(btrfs|bcachefs|zfs|virtiofs|9p|vboxsf|prl_fs|fuse)/;
const readOnly = /^(squashfs|iso9660|erofs|cramfs|udf)$/;
/** Of the system, of containers, or of single programs. */
const system =
  /^\/((proc|sys|dev|boot|efi|etc|snap|run(?!\/media\/))(\/|$)|(var\/)?tmp$|var\/(snap|lib\/(docker|containers|kubelet|lxcfs|lxd|incus))\/)/;

const keepsFiles = ({ point, device, type }: Mount): boolean =>
  !system.test(point) &&
  !readOnly.test(type) &&
  (!device.startsWith('0:') || network.test(type) || virtual.test(type) || point === '/');

/** Mounts of each file system, those first that a repository can be made at, shorter ones before longer. */
export function fileSystemsOf(mounts: readonly Mount[], without: string): Mount[][] {
  const all = new Map<string, Mount[]>();
  for (const mount of mounts.filter(keepsFiles))
    all.set(mount.device, [...(all.get(mount.device) ?? []), mount]);
  const rank = ({ point, writable }: Mount) =>
    (writable && !isBelow(point, without) ? 0 : 1e6) + point.length;
  return [...all.values()]
    .map((some) => some.toSorted((a, b) => rank(a) - rank(b)))
    .sort(([a], [b]) => rank(a as Mount) - rank(b as Mount))
    .slice(0, mostAsked);
}

export const listDisks: FileSystem['disks'] = (folder) => {
  const without = Buffer.from(folder).toString('latin1');
  return Promise.all(fileSystemsOf(mounted(), without).map((mounts) => diskOf(mounts, without)));
};

async function diskOf(mounts: readonly Mount[], without: string): Promise<Disk> {
  const usable = mounts.filter(({ point, writable }) => writable && !isBelow(point, without));
  const [first] = mounts as [Mount];
  const room = await Promise.race([roomIn(usable), after(patienceMs, undefined, { ref: false })]);
  const devices = devicesBehind(first, mounted());
  return {
    mount: named(room?.point ?? first.point),
    mounts: mounts.map(({ point }) => named(point)),
    type: first.type,
    network: network.test(first.type),
    removable: devices.length === 0 ? null : devices.some(isRemovable),
    // Files can be mounted, too, such as single ones into a container.
    writable: usable.length > 0 && room !== null,
    total: room?.total ?? null,
    free: room?.free ?? null,
    devices: devices.map((path) => basename(path)),
  };
}

/** Of the first that is a folder; null when none is. */
async function roomIn(mounts: readonly Mount[]) {
  for (const { point } of mounts) {
    const path = Buffer.from(point, 'latin1');
    const [found, space] = await Promise.all([stat(path), statfs(path)]).catch(() => []);
    if (!found || !space) return undefined;
    const { bsize, blocks, bfree, bavail } = space;
    if (found.isDirectory()) return { point, free: bavail * bsize, total: (blocks - bfree + bavail) * bsize };
  }
  return null;
}

const named = (point: string): string => nameOfBytes(Buffer.from(point, 'latin1'));

/** Folders of the kernel about the whole disks that a file system is on; empty when nothing is known of them. */
export function devicesBehind(
  { device, type, source }: Mount,
  mounts: readonly Mount[],
  { sys = '/sys' } = {},
): string[] {
  if (type === 'zfs') return [source.split('/')[0] as string];
  const whole = (path: string): string[] => {
    if (existsSync(join(path, 'partition'))) return whole(dirname(path));
    const image = textOf(join(path, 'loop', 'backing_file'));
    const below = image && mounts.find(({ point }) => isBelow(image, point));
    if (below) return devicesBehind(below, mounts, { sys });
    const parts = linked(join(path, 'slaves'));
    return parts.length === 0 ? [path] : parts.flatMap(whole);
  };
  try {
    if (!device.startsWith('0:')) return unique(whole(realpathSync(join(sys, 'dev', 'block', device))));
    if (!source.startsWith('/dev/')) return [];
    const name = basename(realpathSync(source));
    const ofBtrfs = linked(join(sys, 'fs', 'btrfs')).map((path) => linked(join(path, 'devices')));
    const several = ofBtrfs.find((paths) => paths.some((path) => basename(path) === name));
    return unique((several ?? [realpathSync(join(sys, 'class', 'block', name))]).flatMap(whole));
  } catch {
    return [];
  }
}

const byUuid = '/dev/disk/by-uuid';

/** A text that begins with `UUID=` is that of a file system, others are mount points. */
export const isMounted: FileSystem['isMounted'] = (what) => {
  const uuid = /^UUID=(.+)$/.exec(what)?.[1];
  const point = Buffer.from(what.replace(/(?!^)\/+$/, '')).toString('latin1');
  const device = uuid && deviceAt(join(byUuid, uuid));
  return mounted().some((mount) =>
    uuid ? device && deviceAt(mount.source) === device : mount.point === point,
  );
};

/** Null when it is none. */
function deviceAt(path: string): string | null {
  try {
    return path.startsWith('/dev/') ? realpathSync(path) : null;
  } catch {
    return null;
  }
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths)];

/** A disk in a USB case does not call itself removable. */
const isRemovable = (path: string): boolean =>
  textOf(join(path, 'removable')) === '1' || /\/usb\d/.test(path);

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1').trim();
  } catch {
    return '';
  }
}

function linked(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => realpathSync(join(folder, name)));
  } catch {
    return [];
  }
}
