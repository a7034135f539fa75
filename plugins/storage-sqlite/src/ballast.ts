import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { access, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const mebibyte = 1 << 20;

/**
 * A file next to the database that only takes up room. When the disk is full it is removed, so that what runs can still
 * write how it ended.
 */
export class Ballast {
  readonly #file: string;

  constructor(database: string) {
    this.#file = `${database}-reserve`;
  }

  /** Creates it again while the disk has much more room than it takes. Never rejects. */
  async fill(): Promise<void> {
    try {
      const { bavail, blocks, bsize } = await statfs(dirname(this.#file));
      const size = Math.min(4 * mebibyte, Math.max(mebibyte / 2, Math.floor((blocks * bsize) / 40)));
      if (bavail * bsize < 4 * size || (await this.#exists())) return;
      // Not zeros, which some file systems store nowhere.
      await writeFile(this.#file, randomBytes(size), { mode: 0o600 });
    } catch {
      await rm(this.#file, { force: true }).catch(() => {});
    }
  }

  /** At once, so that the next change finds the room. */
  release(): void {
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // A disk that became read-only: the room would not help.
    }
  }

  #exists = (): Promise<boolean> =>
    access(this.#file).then(
      () => true,
      () => false,
    );
}
