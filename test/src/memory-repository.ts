import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  BackupDriver,
  DriverErrorKind,
  Encryption,
  RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import { makeMemoryDriver } from '../../plugins/testkit/driver-memory/index.js';
import type { ListedArchive } from './oracles/borg.js';
import { waitFor } from './wait-for.js';

type Operation = keyof BackupDriver | 'init.made';

/**
 * A repository of the driver in memory as another program would use it, and what steers a service that uses it: see
 * `plugins/testkit/driver-memory/index.js`.
 */
export class MemoryRepository {
  readonly #driver = makeMemoryDriver();
  readonly #target: RepositoryTarget;

  constructor(
    readonly repository: string,
    { passphrase = null }: { passphrase?: string | null } = {},
  ) {
    const uid = 'by-hand';
    this.#target = { uid, location: repository, passphrase, keyFile: null, remoteToolPath: null };
  }

  async init(encryption: Encryption = 'none'): Promise<void> {
    await this.#driver.init(this.#target, { encryption });
  }

  /** An archive as if it had been made at `at`. */
  async create(name: string, at: number, { source, comment = '' }: { source: string; comment?: string }) {
    const input = { name, comment, sources: [source], excludePatterns: [], compression: '', customFlags: [] };
    await this.#driver.createArchive(this.#target, input, { lockWaitSeconds: 60 });
    const start = Math.floor(at / 1000) * 1000;
    this.#change(name, (summary) => Object.assign(summary, { start, end: start + 1000 }));
  }

  async list(): Promise<ListedArchive[]> {
    return (await this.#driver.listArchives(this.#target, {}, { lockWaitSeconds: 60 })).value;
  }

  async delete(archives: string[]): Promise<void> {
    await this.#driver.deleteArchives(this.#target, { archives }, { lockWaitSeconds: 60 });
  }

  /** Under the new name it has a new id, as Borg gives it one. */
  rename(name: string, next: string): void {
    this.#change(name, (summary) => {
      const id = summary.id.replace(/^./, (digit) => (digit === 'f' ? '0' : 'f'));
      const folder = join(this.repository, 'archives');
      writeFileSync(join(folder, `${id}.json`), readFileSync(join(folder, `${summary.id}.json`)));
      Object.assign(summary, { id, name: next });
    });
  }

  /** Bytes of all its content, and nothing else. */
  get size(): number {
    const folder = join(this.repository, 'blobs');
    return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  }

  /** From now on, the tool waits in this operation with its lock, at no cost, until `release`. */
  hold(operation: Operation = 'createArchive'): void {
    rmSync(`${this.repository}.held.${operation}`, { force: true });
    writeFileSync(`${this.repository}.hold.${operation}`, '');
  }

  /** Resolves when a tool waits. */
  async reached(operation: Operation = 'createArchive'): Promise<void> {
    const look = () => existsSync(`${this.repository}.held.${operation}`);
    await waitFor(look, { what: `a held ${operation}`, intervalMs: 20 });
  }

  release(operation: Operation = 'createArchive'): void {
    rmSync(`${this.repository}.hold.${operation}`);
  }

  /** The next such operation fails. */
  failOnce(operation: Operation, kind: DriverErrorKind, message: string): void {
    writeFileSync(`${this.repository}.fail.${operation}`, `${kind} ${message}`);
  }

  /** Changes one piece of content. Resolves to how to change it back. */
  damage(): () => void {
    const folder = join(this.repository, 'blobs');
    const [file = ''] = readdirSync(folder).map((name) => join(folder, name));
    const sound = readFileSync(file);
    writeFileSync(file, 'damaged');
    return () => writeFileSync(file, sound);
  }

  #change(name: string, change: (summary: ListedArchive) => void): void {
    const file = join(this.repository, 'repository.json');
    const state = JSON.parse(readFileSync(file, 'utf8')) as { archives: { summary: ListedArchive }[] };
    for (const { summary } of state.archives) if (summary.name === name) change(summary);
    state.archives.sort((a, b) => a.summary.start - b.summary.start);
    writeFileSync(file, JSON.stringify(state));
  }
}
