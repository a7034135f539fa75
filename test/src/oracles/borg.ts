import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { borgPython } from '../hostile/borg-python.js';

const run = promisify(execFile);
const manyCommands = fileURLToPath(new URL('./many-commands.py', import.meta.url));

export interface DatedArchive {
  name: string;
  /** Milliseconds since the epoch. */
  at: number;
  comment?: string;
}

export interface ListedArchive {
  id: string;
  name: string;
  /** Milliseconds since the epoch. */
  start: number;
  comment: string;
}

/** One line of a dry run: the archive, and the rule that keeps it or null. */
export interface Decision {
  id: string;
  name: string;
  rule: string | null;
}

/** The real tool on one repository, called by hand as a person would, with a base folder of its own. */
export class Borg {
  constructor(
    readonly repository: string,
    readonly base: string,
    readonly options: { binary?: string; passphrase?: string } = {},
  ) {}

  /** Resolves to all that it wrote. */
  async run(verb: string, ...words: string[]): Promise<string> {
    const { stdout, stderr } = await this.#runIn(undefined, [verb, ...words]);
    return stdout + stderr;
  }

  /** An archive of paths in a folder. */
  async createIn(folder: string, name: string, ...paths: string[]): Promise<void> {
    await this.#runIn(folder, ['create', `${this.repository}::${name}`, ...paths]);
  }

  /** Everything of an archive, below a folder. */
  async extract(name: string, folder: string): Promise<void> {
    await this.#runIn(folder, ['extract', `${this.repository}::${name}`]);
  }

  #runIn(cwd: string | undefined, words: string[]): Promise<{ stdout: string; stderr: string }> {
    // The service may read the repository at the same time.
    return run(this.options.binary ?? 'borg', ['--lock-wait=60', ...words], {
      cwd,
      env: this.#environment(),
      maxBuffer: 16 * 1024 * 1024,
    });
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      HOME: this.base,
      BORG_BASE_DIR: this.base,
      BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
      BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
      ...(this.options.passphrase === undefined ? {} : { BORG_PASSPHRASE: this.options.passphrase }),
    };
  }

  /** An archive as if it had been made at `at`. */
  async create(name: string, at: number, { source, comment = '' }: { source: string; comment?: string }) {
    await this.run('create', ...this.#creation({ name, at, comment }, source));
  }

  /** The same for many archives of one source, in a third of the time. */
  async createMany(archives: DatedArchive[], source: string): Promise<void> {
    const commands = archives.map((archive) => [
      '--lock-wait=60',
      'create',
      ...this.#creation(archive, source),
    ]);
    const running = run(borgPython(), [manyCommands], { env: this.#environment() });
    running.child.stdin?.end(JSON.stringify(commands));
    await running;
  }

  #creation({ name, at, comment = '' }: DatedArchive, source: string): string[] {
    const timestamp = new Date(at).toISOString().slice(0, 19);
    const flags = [`--timestamp=${timestamp}`, `--comment=${comment}`, '--files-cache=disabled'];
    return [...flags, `${this.repository}::${name}`, source];
  }

  /** In the order in which the tool lists them. */
  async list(): Promise<ListedArchive[]> {
    const words = ['list', '--json', '--format={comment}', this.repository];
    // What it warns of, such as a lock of a process that is gone, comes beside.
    const { stdout } = await this.#runIn(undefined, words);
    const { archives } = JSON.parse(stdout) as {
      archives: { id: string; name: string; start: string; comment: string }[];
    };
    return archives.map(({ id, name, start, comment }) => ({
      id,
      name,
      start: Date.parse(`${start}Z`),
      comment,
    }));
  }

  async delete(names: string[]): Promise<void> {
    if (names.length > 0) await this.run('delete', this.repository, ...names);
  }

  /** What `prune` would do, newest first. `flags`: the rules, and which archives are meant. */
  async prunePlan(...flags: string[]): Promise<Decision[]> {
    const output = await this.run('prune', '--dry-run', '--list', ...flags, this.repository);
    return output
      .split('\n')
      .map((line) =>
        /^(?:Keeping archive \(rule: (.+?)\)|Would prune):\s+(.+?) .*\[([0-9a-f]{64})\]$/.exec(line),
      )
      .filter((match) => match !== null)
      .map(([, rule = null, name = '', id = '']) => ({ id, name, rule }));
  }

  /** The same repository at another place: nothing that happens to one is seen in the other. */
  copy(folder: string, binary = this.options.binary): Borg {
    const repository = join(folder, 'repository');
    cpSync(this.repository, repository, { recursive: true });
    return new Borg(repository, join(folder, 'base'), { ...this.options, binary });
  }
}
