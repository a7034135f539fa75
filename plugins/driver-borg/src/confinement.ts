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
const failureCachedMs = 60_000;

/** One confined run, with the paths that differ inside it. */
export interface Cell {
  /** A local repository has another path inside, so that an archive cannot name the writable one. */
  location: string;
  /** For the tool's own files; removed with the run. */
  home: string;
  /** Replaces the paths inside by the usual ones. */
  withUsualPaths(text: string): string;
  /** Arguments before the tool's gate. `sshLog`: a file that ssh writes, in a folder of its own. */
  prefix(facts: { base: string; sshLog: string | null }): string[];
}

type Found = { starter: string[]; drop: string[] } | { problem: string };

/**
 * Keeps the tool from writing outside the folder that it extracts into, whatever an archive names: in a mount
 * namespace of its own, everything else is read-only, and the paths that the tool must write are unguessable.
 */
export class Confinement {
  #found: Promise<Found> | null = null;
  #checkedAt = 0;
  readonly #root: string;

  constructor(
    dataFolder: string,
    private readonly program: () => Promise<string>,
    private readonly stopping: AbortSignal,
  ) {
    this.#root = join(dataFolder, '.cell');
  }

  /** Why this machine does not allow it; null if it does. */
  async problem(): Promise<string | null> {
    const found = await this.#check();
    return 'problem' in found ? found.problem : null;
  }

  /** Null if the machine does not allow it. */
  async cell(location: string): Promise<Cell | null> {
    await makeOwnFolder(this.#root);
    const found = await this.#check();
    return 'problem' in found ? null : this.#cellOf(found, location);
  }

  #cellOf({ starter, drop }: Exclude<Found, { problem: string }>, location: string): Cell {
    const id = randomUUID();
    const folder = join(this.#root, id);
    const repository = isRemote(location) ? '' : location;
    return {
      location: repository === '' ? location : join(folder, 'repository'),
      home: join(folder, 'home'),
      withUsualPaths: (text) =>
        text.replaceAll(join(folder, 'repository'), location).replaceAll(`${join(folder, 'tree')}/`, ''),
      prefix: ({ base, sshLog }) => [
        ...starter,
        ...['/bin/sh', '-c', confineScript, 'confine', this.#root, id, base, repository, sshLog ?? ''],
        ...drop,
      ],
    };
  }

  /** A success is remembered for good, a failure only for a while. */
  async #check(): Promise<Found> {
    const known = await this.#found;
    if (known && (!('problem' in known) || performance.now() - this.#checkedAt < failureCachedMs))
      return known;
    this.#checkedAt = performance.now();
    this.#found = this.#probe().catch((error: Error) => ({ problem: reasonOf(error) }));
    return this.#found;
  }

  async #probe(): Promise<Found> {
    const commands = await commandsFor(process.getuid?.() === 0);
    if (commands === null) return { problem: 'unshare, mount or setpriv (util-linux) is missing.' };
    await makeOwnFolder(this.#root);
    const [first = '', ...rest] = this.#cellOf(commands, this.#root).prefix({
      base: this.#root,
      sshLog: null,
    });
    const tool = ['/bin/sh', '-c', '[ -w . ] && exec "$1" --version', 'try', await this.program()];
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: '/nonexistent' };
    await run(first, [...rest, ...tool], {
      cwd: this.#root,
      env,
      timeout: probeWithinMs,
      signal: this.stopping,
    });
    return commands;
  }
}

/**
 * Root keeps its capabilities, which owners and devices need. Others get a user namespace and drop its capabilities.
 */
async function commandsFor(isRoot: boolean): Promise<{ starter: string[]; drop: string[] } | null> {
  const [unshare, mount, setpriv] = await Promise.all(['unshare', 'mount', 'setpriv'].map(findProgram));
  if (!unshare || !mount || !setpriv) return null;
  if (isRoot) return { starter: [unshare, '--mount'], drop: [] };
  return {
    starter: [unshare, '--user', '--map-current-user', '--keep-caps', '--mount'],
    drop: [setpriv, '--inh-caps=-all', '--ambient-caps=-all'],
  };
}

/** The last line on standard error. */
function reasonOf(error: Error & { stderr?: string }): string {
  const line = (error.stderr ?? '').trim().split('\n').at(-1);
  return line || error.message.split('\n')[0] || 'it failed';
}

export const confinementFinding = (problem: string | null): Finding =>
  problem === null
    ? {
        status: 'ok',
        text: 'Extraction is confined: Borg can write only into the working folder of a restore.',
      }
    : {
        status: 'warning',
        text: `Extraction is not confined to the working folder of a restore (${problem.replace(/\.$/, '')}).`,
        advice: 'Allow mount namespaces: see "Confinement" in docs/admin/users-and-security.md.',
      };
