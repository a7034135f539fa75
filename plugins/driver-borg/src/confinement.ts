import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Finding } from '@holdfast/plugin-api';
import { confineScript } from './confine-script.js';
import { findProgram } from './launch.js';
import { isRemote } from './location.js';
import { makeOwnFolder } from './own-folder.js';

const run = promisify(execFile);
const probeWithinMs = 30_000;
const failureStandsMs = 60_000;

/** One confined run: where it finds what is not at its usual place. */
export interface Cell {
  /** A local repository has another path in there, so that nobody can name the one that may be written. */
  location: string;
  /** For the tool's own files; it is gone with the run. */
  home: string;
  /** Puts the usual paths in the place of its own ones. */
  plainly(text: string): string;
  /** What stands before the tool's gate. `sshLog`: a file that ssh writes, in a folder of its own. */
  prefix(facts: { base: string; sshLog: string | null }): string[];
}

type Found = { starter: string[]; drop: string[] } | { problem: string };

/**
 * Keeps the tool from writing outside of the folder that it extracts into, whatever an archive names: in a mount
 * namespace of its own everything else is read-only, and what the tool must write has names that can't be guessed.
 */
export class Confinement {
  #found: Promise<Found> | null = null;
  #askedAt = 0;
  readonly #root: string;

  constructor(
    dataFolder: string,
    private readonly program: () => Promise<string>,
  ) {
    this.#root = join(dataFolder, '.cell');
  }

  /** Why this machine does not allow it; null where it does. */
  async problem(): Promise<string | null> {
    const found = await this.#look();
    return 'problem' in found ? found.problem : null;
  }

  /** Null where the machine does not allow it. */
  async cell(location: string): Promise<Cell | null> {
    await makeOwnFolder(this.#root);
    const found = await this.#look();
    return 'problem' in found ? null : this.#cellOf(found, location);
  }

  #cellOf({ starter, drop }: Exclude<Found, { problem: string }>, location: string): Cell {
    const id = randomUUID();
    const folder = join(this.#root, id);
    const repository = isRemote(location) ? '' : location;
    return {
      location: repository === '' ? location : join(folder, 'repository'),
      home: join(folder, 'home'),
      plainly: (text) =>
        text.replaceAll(join(folder, 'repository'), location).replaceAll(`${join(folder, 'tree')}/`, ''),
      prefix: ({ base, sshLog }) => [
        ...starter,
        ...['/bin/sh', '-c', confineScript, 'confine', this.#root, id, base, repository, sshLog ?? ''],
        ...drop,
      ],
    };
  }

  /** What works stays so; what does not is asked anew after a while. */
  async #look(): Promise<Found> {
    const known = await this.#found;
    if (known && (!('problem' in known) || performance.now() - this.#askedAt < failureStandsMs)) return known;
    this.#askedAt = performance.now();
    this.#found = this.#probe().catch((error: Error) => ({ problem: wordsOf(error) }));
    return this.#found;
  }

  async #probe(): Promise<Found> {
    const ways = await waysOf(process.getuid?.() === 0);
    if (ways === null) return { problem: 'There are no programs unshare, mount and setpriv of util-linux.' };
    await makeOwnFolder(this.#root);
    const [first = '', ...rest] = this.#cellOf(ways, this.#root).prefix({ base: this.#root, sshLog: null });
    const tool = ['/bin/sh', '-c', '[ -w . ] && exec "$1" --version', 'try', await this.program()];
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: '/nonexistent' };
    await run(first, [...rest, ...tool], { cwd: this.#root, timeout: probeWithinMs, env });
    return ways;
  }
}

/** Root keeps its rights, which owners and devices need; others get a user namespace, and no rights from it. */
async function waysOf(isRoot: boolean): Promise<{ starter: string[]; drop: string[] } | null> {
  const [unshare, mount, setpriv] = await Promise.all(['unshare', 'mount', 'setpriv'].map(findProgram));
  if (!unshare || !mount || !setpriv) return null;
  if (isRoot) return { starter: [unshare, '--mount'], drop: [] };
  return {
    starter: [unshare, '--user', '--map-current-user', '--keep-caps', '--mount'],
    drop: [setpriv, '--inh-caps=-all', '--ambient-caps=-all'],
  };
}

/** The last line that was said. */
function wordsOf(error: Error & { stderr?: string }): string {
  const line = (error.stderr ?? '').trim().split('\n').at(-1);
  return line || error.message.split('\n')[0] || 'it failed';
}

export const confinementFinding = (problem: string | null): Finding =>
  problem === null
    ? { status: 'ok', text: 'It extracts confined: it can write only into the working folder of a restore.' }
    : {
        status: 'warning',
        text: `It extracts without being confined to the working folder of a restore (${problem.replace(/\.$/, '')}).`,
        advice: 'Allow mount namespaces: see "Confinement" in docs/deployment.md.',
      };
