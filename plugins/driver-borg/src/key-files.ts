import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeOwnFolder } from './own-folder.js';
import { bootId, isAlive, startTimeOf } from './process-identity.js';

export interface KeyFile {
  path: string;
  /** Null if the tool wrote none. */
  read(): Promise<string | null>;
  remove(): Promise<void>;
}

/**
 * Key files exist only while an operation needs them, in a folder named after this process's boot, pid and start
 * time; `sweep` removes the folders of dead processes.
 */
export class KeyFiles {
  private readonly root: string;
  private readonly own: string;

  constructor(dataFolder: string) {
    this.root = join(dataFolder, '.keys');
    this.own = join(this.root, `${bootId()}.${process.pid}.${startTimeOf(process.pid) ?? '0'}`);
  }

  /** A file for one operation: `text` is written to it; without `text`, the tool may write it. */
  async make(text: string | null): Promise<KeyFile> {
    const folder = join(this.own, randomUUID());
    await makeOwnFolder(folder);
    const path = join(folder, 'key');
    if (text !== null) await writeFile(path, text, { mode: 0o600, flag: 'wx' });
    return {
      path,
      read: () => readFile(path, 'utf8').catch(() => null),
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  }

  async sweep(): Promise<void> {
    const names = await readdir(this.root).catch(() => [] as string[]);
    const left = names.filter((name) => isLeftover(name));
    await Promise.all(left.map((name) => rm(join(this.root, name), { recursive: true, force: true })));
  }

  async removeOwn(): Promise<void> {
    await rm(this.own, { recursive: true, force: true });
  }
}

function isLeftover(name: string): boolean {
  const [boot, pid, startedAt] = name.split('.');
  if (boot !== bootId()) return true;
  return !isAlive({ pid: Number(pid), startedAt: String(startedAt) });
}
