import { readFile } from 'node:fs/promises';
import { DriverError, type Overlay, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import { isBelow, parseMounts, realpath } from '@holdfast/plugin-api/files';
import { isRemote } from './location.js';

/** Where the kernel lists what is mounted. */
export const mountTable = '/proc/self/mountinfo';

/** How lines of the script begin that say why it failed. */
export const viewProblem = 'view: ';

/**
 * Copies all mounts below a folder that every host has and no backup needs, mounts each pair of a path and a folder
 * there, and makes it the root of the command that follows. Other processes see none of it, and it is gone with the
 * last process in it. What is unmounted outside is unmounted here, too, so that nothing holds it.
 *
 * A path that is paired with itself stays as it is. It is left out if another mount hides it, or if it is newer than the
 * folder around it. Mounts of snapshots are dropped once they are shown, or the next backup could not remove its own.
 */
const script = `
fail() { printf '${viewProblem}%s\\n' "$1" | tr '\\n' ' ' >&2; exit 126; }
root=/sys
mount --rbind / "$root" || fail 'The mounts of this host cannot be copied.'
while [ "$1" != -- ]; do
  if [ "$1" != "$2" ]; then
    [ "$(cd -P -- "$1" && pwd -P && echo .)" = "$1
." ] || fail "$1 is not the real path of a folder."
    mount --rbind -- "$2" "$root$1" || fail "$2 cannot be mounted at $1."
  elif [ -e "$2" ] && [ -e "$root$1" ]; then
    mount --rbind -- "$2" "$root$1" || fail "$2 cannot be mounted beside a snapshot."
  fi
  shift 2
done
shift
for one in /run/holdfast-* "$root"/run/holdfast-*; do
  ! mountpoint -q -- "$one" || umount --lazy -- "$one" || fail "$one cannot be unmounted."
done
exec chroot "$root" /bin/sh -c 'cd -- "$1" && shift && exec "$@"' view "$PWD" "$@"
`;

const start = `
unshare --mount true || {
  echo '${viewProblem}Snapshots can only be backed up as root, with the programs unshare, mount and chroot.' >&2
  exit 126
}
exec unshare --mount --propagation slave /bin/sh -c "$@"
`;

/**
 * Arguments before a command that show it each overlay at its path; none without overlays. Below them it sees the other
 * mounts of the host as they are, and so the folders and files to `keep`.
 */
export function viewPrefix(
  overlays: readonly Overlay[],
  { table, keep = [] }: { table: string; keep?: readonly string[] },
): string[] {
  if (overlays.length === 0) return [];
  const laid = new Set(overlays.map(({ path }) => path));
  const points = parseMounts(table).map(({ point }) => Buffer.from(point, 'latin1').toString());
  const live = [...new Set([...points, ...keep])]
    .filter((path) => !laid.has(path) && overlays.some((overlay) => isBelow(path, overlay.path)))
    .map((path) => ({ path, from: path }));
  const unnamed = live.find(({ path }) => path.includes('\uFFFD'));
  if (unnamed)
    throw new DriverError('usage', `${unnamed.path} has a name that cannot be passed to a program.`);
  const all = [...overlays, ...live].sort((a, b) => a.path.length - b.path.length);
  const shown = all.filter(({ path, from }) => {
    if (path !== from) return true;
    const around = all.findLast((other) => other.path !== path && isBelow(path, other.path));
    return around !== undefined && around.path !== around.from;
  });
  return [
    '/bin/sh',
    '-c',
    start,
    'view',
    script,
    'view',
    ...shown.flatMap((one) => [one.path, one.from]),
    '--',
  ];
}

/** The same for a tool on this machine, whose folders stay writable. Files of ssh may be newer than a snapshot. */
export async function localView(
  dataFolder: string,
  { location, transport }: RepositoryTarget,
  overlays: readonly Overlay[] = [],
): Promise<string[]> {
  if (overlays.length === 0) return [];
  const ssh = [transport, transport?.jump].flatMap((one) => (one ? [one.keyFile, one.knownHostsFile] : []));
  const own = [dataFolder, ...(isRemote(location) ? [] : [location]), ...ssh];
  const keep = await Promise.all(own.map((path) => realpath(path).catch(() => path)));
  return viewPrefix(overlays, { table: await readFile(mountTable, 'latin1'), keep });
}
