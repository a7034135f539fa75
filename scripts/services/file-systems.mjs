import { existsSync } from 'node:fs';
import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

const programs = {
  'mkfs.exfat': 'exfatprogs',
  'mount.exfat-fuse': 'exfat-fuse',
  'mkfs.btrfs': 'btrfs-progs',
  bindfs: 'bindfs',
  ...(existsSync('/dev/mapper/control') && { lvcreate: 'lvm2', 'mkfs.xfs': 'xfsprogs' }),
};

/** Makes the file systems of sticks, shares and subvolumes. */
export const fileSystems = {
  name: 'file systems',
  neededBy: /TEST_FILE_SYSTEMS/,
  variable: 'PATH',
  async prepare() {
    if (process.getuid?.() !== 0) return { found: 'not used: mounting needs root', env: {} };
    const missing = () => Object.keys(programs).filter((program) => !findProgram(program));
    const packages = missing().map((program) => programs[program]);
    if (packages.length > 0) await installWithSystem('file systems', { 'apt-get': packages });
    if (missing().length > 0) throw new Error(`${missing()} cannot be found after the installation.`);
    return { found: Object.keys(programs).join(', '), env: { TEST_FILE_SYSTEMS: '1' } };
  },
};
