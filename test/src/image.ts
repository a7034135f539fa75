import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { waitFor } from './wait-for.js';

interface Configuration {
  User: string;
  Env: string[];
  WorkingDir: string;
  Entrypoint: string[];
  Cmd: string[];
  Healthcheck: { Test: string[] };
}

const buildah = (...parameters: string[]) => execFileSync('buildah', parameters, { encoding: 'utf8' }).trim();
const asText = { encoding: 'utf8' } as const;

/** The root file system of an image and what runs in it, in namespaces of its own, as a container engine would. */
export class RunningImage {
  readonly #container: string;
  readonly #configuration: Configuration;
  readonly root: string;
  log = '';
  #child: ChildProcess | undefined;

  constructor(
    image: string,
    readonly env: Record<string, string>,
  ) {
    this.#configuration = JSON.parse(buildah('inspect', '--type', 'image', image)).Docker.config;
    this.#container = buildah('from', '--pull-never', image);
    this.root = buildah('mount', this.#container);
  }

  /** Starts what the image starts, as its user and as the first process. */
  start(): void {
    const { Entrypoint, Cmd } = this.#configuration;
    const mounts = 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec "$@"';
    const isolated = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', mounts, this.root];
    const child = spawn('unshare', [...isolated, ...this.#inside([...Entrypoint, ...Cmd])], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.log += text;
      });
    }
  }

  /** Runs a command of the image, with its environment. */
  run(...command: string[]) {
    const [program = '', ...parameters] = this.#inside(command);
    return spawnSync(program, parameters, asText);
  }

  healthCheck(): number | null {
    const [kind, ...command] = this.#configuration.Healthcheck.Test;
    if (kind !== 'CMD') throw new Error(`an unknown kind of health check: ${kind}`);
    return this.run(...command).status;
  }

  async untilHealthy(): Promise<void> {
    await waitFor(
      () => {
        if (this.#child?.exitCode !== null) throw new Error(`the image ended:\n${this.log}`);
        return this.healthCheck() === 0;
      },
      { what: 'a healthy image' },
    );
  }

  /** The user of the first process, as the machine sees it. */
  get user(): number {
    return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${this.#first}/status`, 'utf8'))?.[1]);
  }

  /** Asks the first process to end. Resolves to its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    process.kill(this.#first, signal);
    await ended;
    return child.exitCode;
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL');
    buildah('rm', this.#container);
  }

  get #first(): number {
    const pid = this.#child?.pid;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
  }

  #inside(command: string[]): string[] {
    const { User, Env, WorkingDir } = this.#configuration;
    const variables = [...Env, ...Object.entries(this.env).map((pair) => pair.join('='))];
    const user = ['chroot', `--userspec=${User}:`, this.root];
    return [...user, 'env', '--ignore-environment', `--chdir=${WorkingDir}`, ...variables, ...command];
  }
}
