import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('sample-processes.mjs', import.meta.url));

export interface SeenProcess {
  pid: number;
  command: string;
  environment: string;
}

export interface Seen {
  processes: SeenProcess[];
  files: { path: string; content: Buffer; mode: number }[];
}

/** Every process of this machine, and the files below some folders, from `start` to `stop`, a few hundred times a second. */
export class ProcessSampler {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #said: Promise<string>;

  private constructor(folders: string[]) {
    this.#child = spawn(process.execPath, [program, ...folders], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#said = text(this.#child.stdout);
  }

  /** Resolves when it has looked once. */
  static async start(folders: string[] = []): Promise<ProcessSampler> {
    const sampler = new ProcessSampler(folders);
    await new Promise((resolve, reject) => {
      sampler.#child.stdout.once('data', resolve);
      sampler.#child.once('error', reject);
      sampler.#child.once('exit', () => reject(new Error('the sampler of processes ended at once')));
    });
    return sampler;
  }

  async stop(): Promise<Seen> {
    this.#child.stdin.end();
    const said = (await this.#said).replace(/^ready\n/, '');
    const { processes, files } = JSON.parse(said) as {
      processes: SeenProcess[];
      files: { path: string; content: string; mode: number }[];
    };
    return {
      processes,
      files: files.map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') })),
    };
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
