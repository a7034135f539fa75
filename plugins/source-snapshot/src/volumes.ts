import { isBelow, type Mount, parseMounts } from '@holdfast/plugin-api/files';
import { type CommandHost, linesOf, outputOf, type SourceSettings } from '@holdfast/plugin-api/source';
import { type LogicalVolume, logicalVolumes } from './lvm.js';

/** What can be snapshotted at once. */
export interface Volume {
  kind: 'btrfs' | 'lvm' | 'zfs';
  /** The folder of a subvolume, `group/volume`, or the name of a dataset. */
  id: string;
  mount: Mount;
  lvm?: LogicalVolume;
}

/** A folder that the backup is to see in a snapshot. */
export interface Part {
  path: string;
  /** Null: it is seen as it is. */
  volume: Volume | null;
  /** Where it is in the volume: empty, or a path that begins with a slash. */
  within: string;
}

/** A folder of the host without symlinks in its path. */
interface Located {
  path: string;
  mount: Mount;
}

export interface Plan {
  parts: readonly Part[];
  /** Chosen folders that the backup would not read otherwise. */
  more: readonly string[];
  /** One sentence each. */
  warnings: readonly string[];
}

/** Prints the user, whether there can be views of mounts, what is mounted, and the mount and real path of each folder. */
const look = `
mount_of_3() { sed -n 's/^mnt_id:\\t*//p' /proc/self/fdinfo/3; }
printf '%s\\0' "$(id -u)" "$(unshare --mount true 2>/dev/null && echo yes)"
cat /proc/self/mountinfo
for folder; do printf '\\0'; (cd -P -- "$folder" 2>/dev/null && exec 3<. && mount_of_3 && pwd -P) || :; done
`;

/** Throws an Error when a snapshot can't be made of each chosen folder. */
export async function planOf(
  settings: SourceSettings,
  host: CommandHost,
  folders: readonly string[],
): Promise<Plan> {
  const named = linesOf(settings.folders);
  const relative = named.find((folder) => !folder.startsWith('/'));
  if (relative !== undefined) throw new Error(`${relative} must be an absolute path.`);
  const argv = ['sh', '-c', look, 'sh', ...named, ...folders];
  const answer = await outputOf(host, { argv }, 'The mounts could not be read');
  const [user, views, table = '', ...real] = answer.split('\0').map((text) => text.replace(/\n$/, ''));
  if (real.length !== named.length + folders.length)
    throw new Error(`${host.name} has too many mounts to find the volumes of the folders.`);
  assertAble(host, { isRoot: user === '0', hasViews: views === 'yes' });
  const mounts = parseMounts(table);
  const located = real.map((text): Located | null => {
    const [id, path = ''] = text.split(/\n(.*)/s);
    const mount = mounts.find((one) => one.id === id);
    return mount ? { path, mount } : null;
  });
  const isNamed = named.length > 0;
  const lost = [...named, ...folders].filter((_, at) => located[at] === null);
  if (isNamed && located.slice(0, named.length).includes(null))
    throw new Error(`${lost[0]} is not a folder on ${host.name}: correct the path.`);
  const read = located.slice(named.length).flatMap((one) => one?.path ?? []);
  const wanted = located.slice(0, isNamed ? named.length : undefined).flatMap((one) => one ?? []);
  const chosen = [...new Map(wanted.map((one) => [one.path, one])).values()];
  if (chosen.length === 0) throw new Error('No folders are chosen, and the backup reads none.');
  const more = chosen.map(({ path }) => path).filter((path) => !read.includes(path));
  for (const path of more) assertNotRead(path, read);
  const { parts, warnings } = await partsOf(host, chosen, mounts);
  const files = isNamed ? [] : lost;
  return {
    parts,
    more,
    warnings: [
      ...files.map((path) => `${path} is not a folder on ${host.name}: no snapshot is made of it.`),
      ...warnings,
    ],
  };
}

/** It would be read twice, or, with `--one-file-system`, not at all. */
function assertNotRead(path: string, read: readonly string[]): void {
  const around = read.find((one) => isBelow(path, one));
  if (around !== undefined)
    throw new Error(
      `${path} is below ${around}, which the backup reads: choose ${around}, or add ${path} to the source directories.`,
    );
}

const isInside = (path: string, above: string) => path !== above && isBelow(path, above);

function assertAble(host: CommandHost, { isRoot, hasViews }: { isRoot: boolean; hasViews: boolean }): void {
  if (host.name.startsWith('container '))
    throw new Error('Snapshots are made outside of containers: choose none for this source.');
  if (!isRoot)
    throw new Error(
      host.isLocal
        ? 'Snapshots need root: run Holdfast as root.'
        : `Snapshots need root on ${host.name}: connect as root, or turn on sudo for the connection.`,
    );
  if (!hasViews)
    throw new Error(
      `Folders can't be mounted on ${host.name}: it needs the program unshare, and a container needs the capability SYS_ADMIN.`,
    );
}

async function partsOf(host: CommandHost, chosen: readonly Located[], mounts: readonly Mount[]) {
  const parts: Part[] = [];
  const warnings: string[] = [];
  let lvm: readonly LogicalVolume[] | undefined;
  for (const { path, mount } of chosen) {
    const below = mount.point === '/' ? path : path.slice(mount.point.length);
    const within = `${mount.root}/${below}`.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
    if (mount.type === 'btrfs') {
      const found = await subvolumesOf(host, { path, mount, mounts });
      parts.push(...found.parts);
      warnings.push(...found.warnings);
    } else if (mount.type === 'zfs') {
      parts.push({ path, within, volume: { kind: 'zfs', id: mount.source, mount } });
    } else {
      lvm ??= await logicalVolumes(host);
      const found = lvm.find(({ device }) => device === mount.device);
      if (!found)
        throw new Error(
          `${path} is on ${mount.type} (${mount.source}), which is not Btrfs, ZFS or a logical volume${lvm.length === 0 ? ', or lvm2 is not installed' : ''}: leave it out.`,
        );
      parts.push({ path, within, volume: { kind: 'lvm', id: found.id, mount, lvm: found } });
      const old = lvm.filter(({ id, origin }) => origin === found.id && id.includes('/holdfast-'));
      warnings.push(...old.map(({ id }) => leftover(id, `lvremove ${id}`)));
    }
    const others = mounts.filter(
      ({ point }) => isInside(point, path) && !chosen.some((one) => one.path === point),
    );
    const disks = others.filter(({ type, source }) => type === 'zfs' || /^\/dev\/|:|^\/\//.test(source));
    if (disks.length > 0)
      warnings.push(
        `No snapshot is made of other file systems below ${path}, which are read as they are: ${disks.map(({ point }) => point).join(', ')}. Add them to the folders.`,
      );
  }
  return { parts, warnings };
}

const leftover = (name: string, command: string) =>
  `${name} is the snapshot of another backup. If none runs, remove it: ${command}`;

/** A subvolume begins at inode 256, and nothing else has it. */
const findRoot = `
command -v btrfs >/dev/null || { echo 'install the package btrfs-progs' >&2; exit 1; }
folder=$1
until [ "$(stat -c %i -- "$folder")" = 256 ]; do
  [ "$folder" != "$2" ] || { echo 'only a part of a subvolume is mounted there' >&2; exit 1; }
  folder=\${folder%/*}; folder=\${folder:-/}
done
printf '%s\\0' "$folder"
btrfs subvolume list -r -- "$2" && printf '\\0' && btrfs subvolume list -- "$2" && printf '\\0'
`;

/** The subvolume of a folder, and those below it, which are empty folders in its snapshot. */
async function subvolumesOf(
  host: CommandHost,
  { path, mount, mounts }: Located & { mounts: readonly Mount[] },
) {
  const argv = ['sh', '-c', findRoot, 'sh', path, mount.point];
  const answer = await outputOf(host, { argv }, `The subvolumes of ${path} could not be listed`);
  const [root = '', ...lists] = answer.split('\0');
  const [fixed = [], all = [], end] = lists.map((list) => subvolumesIn(list, mount));
  if (!end) throw new Error(`The file system of ${path} has too many subvolumes to list them.`);
  const volumeOf = (id: string): Volume | null => (fixed.includes(id) ? null : { kind: 'btrfs', id, mount });
  const mountOf = (one: string) => mounts.find(({ point }) => isBelow(one, point));
  const inner = all.filter((one) => isInside(one, root) && mountOf(one) === mount);
  const isOld = (one: string) => /\/\.holdfast-[^/]+$/.test(one);
  const nested = inner.filter((one) => isInside(one, path) && !isOld(one));
  const within = path.slice(root.replace(/^\/$/, '').length).replace(/^\/$/, '');
  const whole = { path, within, volume: volumeOf(root) };
  return {
    parts: [
      ...(whole.volume ? [whole] : []),
      ...nested.map((one): Part => ({ path: one, within: '', volume: volumeOf(one) })),
    ],
    warnings: inner.filter(isOld).map((one) => leftover(one, `btrfs subvolume delete ${one}`)),
  };
}

/** Their folders, as far as they are in what is mounted. */
function subvolumesIn(list: string, { point, root }: Mount): string[] {
  const lines = list.split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => {
    const [, name] = /^ID \d+ gen \d+ top level \d+ path (.+)$/.exec(line) ?? [];
    if (name === undefined)
      throw new Error(`A subvolume on the disk of ${point} has a line break in its name: rename it.`);
    const top = root === '/' ? '/' : `${root}/`;
    return `/${name}`.startsWith(top)
      ? [`${point === '/' ? '' : point}/${`/${name}`.slice(top.length)}`]
      : [];
  });
}
