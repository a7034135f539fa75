import { type CommandHost, outputOf } from '@holdfast/plugin-api/source';
import { spaceFor } from './lvm.js';
import type { Volume } from './volumes.js';

export interface Snapshot {
  volume: Volume;
  /** The folder in which its data is. */
  at: string;
  /** What has to be undone, in the order in which it is done. For another process. */
  notes: readonly string[];
}

/** `name` is `[a-z0-9-]`, and begins with `holdfast-`. */
export function snapshotOf(volume: Volume, name: string): Snapshot {
  const { kind, id } = volume;
  if (kind === 'btrfs') {
    const at = `${id === '/' ? '' : id}/.${name}`;
    return { volume, at, notes: [`btrfs ${at}`] };
  }
  const at = `/run/${name}`;
  const made = kind === 'zfs' ? `${id}@${name}` : `${volume.lvm?.group.name}/${name}`;
  return { volume, at, notes: [`${kind} ${made}`, `mount ${at}`] };
}

const mount = 'mkdir -p -m 700 -- "$1" && exec mount -t "$2" -o "$3" -- "$4" "$1"';

export async function take(host: CommandHost, snapshot: Snapshot, space: string | undefined): Promise<void> {
  const { volume, at, notes } = snapshot;
  const { kind, id, lvm } = volume;
  const run = (...argv: string[]) => outputOf(host, { argv }, `No snapshot of ${id} could be made`);
  if (kind === 'btrfs') return void (await run('btrfs', 'subvolume', 'snapshot', '-r', '--', id, at));
  const made = notes[0]?.slice(kind.length + 1) ?? '';
  if (lvm) {
    const [, name = ''] = made.split('/');
    // A thin snapshot is not activated otherwise.
    const how = lvm.pool ? ['-kn', '-ay'] : ['--size', `${spaceFor(lvm, space)}b`];
    await run('lvcreate', '--yes', '--snapshot', ...how, '--name', name, id);
  } else await run('zfs', 'snapshot', made);
  const { type } = volume.mount;
  // Two XFS file systems with one UUID are not mounted.
  const options = type === 'xfs' ? 'ro,nouuid' : 'ro';
  await run('sh', '-c', mount, 'sh', at, type, options, lvm ? `/dev/${made}` : made);
}

/** Each may be run twice, and succeeds if nothing is left. `$1` is what the note names. */
const undo: Record<string, string> = {
  mount: `while mountpoint -q -- "$1"; do umount -- "$1" || exit; done
    [ ! -d "$1" ] || rmdir -- "$1"`,
  btrfs: '[ ! -d "$1" ] || btrfs subvolume delete -- "$1"',
  lvm: `left=$(lvs --noheadings -o lv_name --select "vg_name=\${1%/*} && lv_name=\${1#*/}") || exit
    [ -z "$left" ] || lvremove --yes -- "$1"`,
  zfs: `said=$(LC_ALL=C zfs destroy "$1" 2>&1) && exit
    case $said in *'does not exist'*|*'could not find any snapshots'*) ;; *) printf '%s\\n' "$said" >&2; exit 1;; esac`,
};

/** Fails unless the snapshot is as it was made. */
const look: Record<string, string> = {
  mount: ':',
  btrfs: '[ -d "$1" ] || { echo it is gone >&2; exit 1; }',
  lvm: `used=$(lvs --noheadings -o lv_snapshot_invalid,snap_percent -- "$1") || exit
    case $used in *invalid*|*100.00*) echo 'it was full, so give it more space in the settings' >&2; exit 1;; esac`,
  zfs: 'zfs list -t snapshot -- "$1" >/dev/null',
};

const known = /^(mount|btrfs|lvm|zfs) (.*[/@.]holdfast-[a-z0-9-]+)$/s;

async function runFor(
  host: CommandHost,
  note: string,
  { scripts, problem }: { scripts: Record<string, string>; problem: (name: string) => string },
): Promise<void> {
  const [, kind = '', name = ''] = known.exec(note) ?? [];
  const script = scripts[kind];
  if (script !== undefined) await outputOf(host, { argv: ['sh', '-c', script, 'sh', name] }, problem(name));
}

export const undoneBy = (host: CommandHost, note: string): Promise<void> =>
  runFor(host, note, { scripts: undo, problem: (name) => `${name} could not be removed` });

export const verified = (host: CommandHost, note: string): Promise<void> =>
  runFor(host, note, {
    scripts: look,
    problem: (name) =>
      `The snapshot ${name} was not whole until the end of the backup, so the archive may be damaged`,
  });
