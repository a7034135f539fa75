import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';

/** File systems of sticks and shares, mounted where everybody sees them until `remove`. */
export class FileSystems {
  readonly #undo: (() => void)[] = [];

  constructor() {
    if (process.getuid?.() !== 0 || !process.env.TEST_FILE_SYSTEMS)
      throw new Error('These tests mount file systems, which needs root: run them as root.');
  }

  /** As on most sticks; in a process, so that it depends on no kernel. */
  exfat(path: string, uid = 0): void {
    const device = this.#device(path, ['mkfs.exfat']);
    this.#mount(path, ['mount.exfat-fuse', '-o', `umask=022,uid=${uid}`, device, path]);
  }

  btrfs(path: string): void {
    const device = this.#device(path, ['mkfs.btrfs', '-q'], 256);
    this.#mount(path, ['mount', '-t', 'btrfs', device, path]);
  }

  /** A volume of a new volume group, with room for snapshots; `mkfs` makes its file system. Needs device mapper. */
  lvm(path: string, group: string, mkfs: readonly string[], volume: readonly string[] = []): void {
    const device = this.#device(path, ['true'], 1024);
    const run = (program: string, ...words: string[]) => execFileSync(program, words, { stdio: 'pipe' });
    run('vgcreate', group, device);
    this.#undo.push(() => void spawnSync('vgremove', ['--force', '--yes', group]));
    run('lvcreate', '--yes', '--name', 'data', ...volume, group);
    const [program = '', ...words] = mkfs;
    run(program, ...words, `/dev/${group}/data`);
    this.#mount(path, ['mount', `/dev/${group}/data`, path]);
  }

  /** A small disk in memory. */
  tmpfs(path: string, megabytes: number): void {
    this.#mount(path, ['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  }

  /** Another view of a folder beside it, with options of bindfs. */
  view(path: string, options: string[]): void {
    mkdirSync(`${path}.back`);
    this.#mount(path, ['bindfs', ...options, `${path}.back`, path]);
  }

  remove(): void {
    for (const undo of this.#undo.splice(0).reverse()) undo();
  }

  #mount(path: string, [program = '', ...words]: string[]): void {
    mkdirSync(path);
    execFileSync(program, words, { stdio: 'pipe' });
    this.#undo.push(() => void spawnSync('umount', ['--lazy', path]));
  }

  #device(path: string, [program = '', ...words]: string[], megabytes = 64): string {
    const image = `${path}.image`;
    writeFileSync(image, '');
    truncateSync(image, megabytes * 1024 * 1024);
    execFileSync(program, [...words, image], { stdio: 'pipe' });
    const { status, stdout, stderr } = spawnSync('losetup', ['--find', '--show', image], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`These tests need a loop device, and there is none: ${stderr}`);
    const device = stdout.trim();
    this.#undo.push(() => void spawnSync('losetup', ['--detach', device]));
    return device;
  }
}
