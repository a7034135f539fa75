import { type CommandHost, outputOf } from '@holdfast/plugin-api/source';

export interface LogicalVolume {
  /** `group/volume` */
  id: string;
  /** `major:minor` */
  device: string;
  size: number;
  group: { name: string; free: number; extent: number };
  /** The thin pool, and how full it is in percent; null: a snapshot needs space of its own. */
  pool: { id: string; used: number } | null;
  /** What it is a snapshot of. */
  origin: string | null;
}

const columns =
  'vg_name,lv_name,lv_kernel_major,lv_kernel_minor,lv_size,vg_free,vg_extent_size,pool_lv,origin,data_percent';
const list = `
command -v lvs >/dev/null || exit 0
exec lvs --noheadings --separator , --units b --nosuffix -o ${columns}
`;

/** None without LVM. */
export async function logicalVolumes(host: CommandHost): Promise<LogicalVolume[]> {
  const text = await outputOf(host, { argv: ['sh', '-c', list] }, 'The logical volumes could not be listed');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((line) => line.trim().split(','));
  const used = new Map(rows.map((row) => [`${row[0]}/${row[1]}`, Number(row.at(-1))]));
  return rows.map(([group = '', name, major, minor, size, free, extent, pool, origin]) => ({
    id: `${group}/${name}`,
    device: `${major}:${minor}`,
    size: Number(size),
    group: { name: group, free: Number(free), extent: Number(extent) },
    pool: pool ? { id: `${group}/${pool}`, used: used.get(`${group}/${pool}`) ?? 0 } : null,
    origin: origin ? `${group}/${origin}` : null,
  }));
}

const units = { M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };
const usual = '10%';
const fullPool = 95;

/** Bytes for the changes of a volume, in whole extents. Throws an Error for a wrong setting. */
export function spaceFor({ size, group }: LogicalVolume, wanted = usual): number {
  const [, number, unit = ''] = /^([1-9]\d{0,5})\s*([%MGT])$/i.exec(wanted.trim()) ?? [];
  if (number === undefined)
    throw new Error(`"${wanted}" is not a size: write a part such as 10%, or a size such as 5G.`);
  const factor = unit === '%' ? size / 100 : units[unit.toUpperCase() as keyof typeof units];
  return Math.ceil((Number(number) * factor) / group.extent) * group.extent;
}

/** Throws an Error unless snapshots of all the volumes have room. */
export function assertRoom(
  volumes: readonly LogicalVolume[],
  { hostName, wanted }: { hostName: string; wanted: string | undefined },
): void {
  const needed = new Map<string, number>();
  for (const volume of volumes) {
    const { id, pool, group } = volume;
    if (pool && pool.used >= fullPool)
      throw new Error(
        `The thin pool ${pool.id} on ${hostName} is ${pool.used} % full: extend it, or free some space.`,
      );
    if (pool) continue;
    const sum = (needed.get(group.name) ?? 0) + spaceFor(volume, wanted);
    needed.set(group.name, sum);
    if (sum > group.free)
      throw new Error(
        `The volume group ${group.name} on ${hostName} has ${inMb(group.free)} MB free, but the snapshot of ${id} needs ${inMb(sum)} MB: free some space, or give it less in the settings.`,
      );
  }
}

export const inMb = (bytes: number) => Math.floor(bytes / 1024 ** 2);
