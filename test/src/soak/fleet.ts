import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { stopProcess } from '../../../scripts/services/stop-process.mjs';
import { createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import type { Database } from '../store/database.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';
import { WriterRecord } from './writer-record.js';

/** Server processes on one data folder, with a record of their writers. */
export class Fleet {
  readonly workspace = makeWorkspace();
  readonly record = new WriterRecord(this.workspace.folder('record'));
  readonly servers: TestServer[] = [];
  readonly #dataDirectory = this.workspace.folder('data');
  #database: Database | undefined;
  #source: string | undefined;
  readonly #disk = this.workspace.folder('disk');
  #isPlugged = false;
  #kept = false;

  /** `ownDatabase`: the services keep their data elsewhere, where those who ask look themselves. */
  constructor(private readonly options: { ownDatabase?: boolean } = {}) {}

  get dataDirectory(): string {
    return this.#dataDirectory;
  }

  get source(): string {
    if (this.#source === undefined) throw new Error('no repository of the fleet was made');
    return this.#source;
  }

  get database(): Database {
    if (!this.#database) throw new Error('no server of the fleet was started');
    return this.#database;
  }

  async start(env: Record<string, string> = {}): Promise<TestServer> {
    const server = await TestServer.start({
      workspace: this.workspace,
      dataDirectory: this.#dataDirectory,
      env: { PATH: `${this.record.bin}:${process.env.PATH}`, ...env },
    });
    this.servers.push(server);
    if (!this.options.ownDatabase) this.#database ??= await server.database();
    return server;
  }

  /** A new repository for each name, of a few small files; their ids. */
  async repositories(api: Api, names: readonly string[]): Promise<number[]> {
    if (this.#source === undefined) {
      this.#source = this.workspace.folder('source');
      makeFiles(this.#source, 20);
    }
    const make = async (name: string) => {
      const path = `${this.workspace.path}/${name}`;
      const made = await createRepository(api, { name, path, source_directories: [this.#source ?? ''] });
      return made.id;
    };
    const ids: number[] = [];
    for (const name of names) ids.push(await make(name));
    return ids;
  }

  /** Schedules that are due only when `plan` says so, in turn on the repositories; with `waits`, every third one needs the disk. */
  async schedules(
    api: Api,
    { count, repositories, waits = false }: { count: number; repositories: number[]; waits?: boolean },
  ): Promise<number[]> {
    const ids: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const repository_id = repositories[n % repositories.length];
      const name = `soak-${repository_id}-${n}`;
      const cron = { cron_expression: '0 0 1 1 *', catch_up: 'one' };
      const when = waits && n % 3 === 0 ? { place_present: true, mounted: [this.#disk] } : null;
      const more = { when, retry: { times: 1, after_minutes: 1 } };
      const answer = await api.post('/api/schedule/', { name, repository_id, ...cron, ...more });
      if (answer.status !== 201)
        throw new Error(`a schedule was answered by ${answer.status} ${answer.text}`);
      ids.push(answer.body.job.id);
    }
    return ids;
  }

  /** Connects the disk that every third schedule waits for, or takes it away. */
  plug(isThere: boolean): void {
    const disk = this.#disk;
    if (isThere === this.#isPlugged) return;
    this.#isPlugged = isThere;
    if (isThere) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'holdfast-test', disk]);
    else execFileSync('umount', [disk]);
  }

  /** The server process that runs the tool of this job. */
  async runnerOf(jobId: number): Promise<TestServer> {
    const [row] = await this.database.all<{ tool: string | null }>(
      'SELECT tool FROM job WHERE id = ?',
      jobId,
    );
    const { pid } = JSON.parse(row?.tool ?? '{}');
    const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
    const server = this.servers.find((each) => each.pid === parent);
    if (!server) throw new Error(`the tool of job ${jobId} belongs to no server`);
    return server;
  }

  /** Stops a process in its tracks, but not while it keeps all others from writing. */
  async freeze(server: TestServer): Promise<void> {
    const attempt = async () => {
      await stopProcess(server.pid);
      if (await this.database.takesWrites()) return true;
      process.kill(server.pid, 'SIGCONT');
      await pause(50);
      return false;
    };
    await waitFor(attempt, { what: 'a freeze outside of a transaction', timeoutMs: 60_000 });
  }

  /** Leaves data, repositories, record and logs to be looked at: something is not as promised. */
  keep(): void {
    this.#kept = true;
  }

  async remove(): Promise<void> {
    this.plug(false);
    await Promise.all(this.servers.map((server) => server.stop('SIGKILL')));
    await this.#database?.close();
    await this.servers[0]?.removeStores();
    if (!this.#kept) return this.workspace.remove();
    const logs = this.workspace.folder('logs');
    for (const [n, server] of this.servers.entries()) writeFileSync(`${logs}/server-${n}.log`, server.log);
    process.stderr.write(
      `soak: data, repositories, record of writers and logs are in ${this.workspace.path}\n`,
    );
  }
}
