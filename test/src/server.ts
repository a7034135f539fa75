import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract } from '@holdfast/contracts';
import { initClient } from '@ts-rest/core';
import { freePort } from '../../scripts/services/own-server.mjs';
import { Api, type Exchange } from './api.js';
import { entry, readableEntry } from './product.js';
import { type Stores, storesOf, usesPostgres } from './store/combination.js';
import type { Database } from './store/database.js';
import { PostgresDatabase } from './store/postgres-database.js';
import { SqliteDatabase } from './store/sqlite-database.js';
import { waitFor } from './wait-for.js';
import { makeWorkspace, type Workspace } from './workspace.js';

/** Debian's `nobody`, and what every Linux has it as. */
export const nobody = 65534;

export const memoryDriver = fileURLToPath(new URL('../../plugins/testkit/driver-memory', import.meta.url));
const loaded = ['watch.mjs', 'light-passwords.mjs'].map(
  (file) => `--import=${fileURLToPath(new URL(`./${file}`, import.meta.url))}`,
);

export const adminPassword = 'correct horse battery staple';

export interface ServerOptions {
  env?: Record<string, string | undefined>;
  /** Runs as `nobody` where the tests run as root: root may write everywhere and notices no mode. */
  unprivileged?: boolean;
  /** A command that runs the service as its last arguments, such as `['unshare', '--mount']`. */
  wrapper?: string[];
  /** The data folder; default: one in the workspace of the server. */
  dataDirectory?: string;
  workspace?: Workspace;
  /** How fast background work runs; default: fast. */
  pace?: 'usual' | 'fast';
  /** Is told of every exchange of its callers. */
  heard?: (exchange: Exchange) => void;
  /** The service's entry; default: the one of this checkout. */
  entry?: string;
  /** The backup tool; default: the Borg of this machine. `memory` is for tests that are not about Borg. */
  driver?: 'memory';
  /** The test keeps the database from answering. */
  slowsDatabase?: boolean;
}

/** The real service as a process of its own, on a free port of 127.0.0.1. */
export class TestServer {
  readonly workspace: Workspace;
  readonly dataDirectory: string;
  #port = 0;
  #child: ChildProcess | undefined;
  #log = '';
  #stores: Stores | undefined;

  private constructor(readonly options: ServerOptions) {
    this.workspace = options.workspace ?? makeWorkspace();
    this.dataDirectory = options.dataDirectory ?? join(this.workspace.path, 'data');
  }

  /** Starts the service and resolves when it is healthy. */
  static async start(options: ServerOptions = {}): Promise<TestServer> {
    const server = new TestServer(options);
    await server.launch();
    return server;
  }

  /** Everything that the service wrote so far, over all its starts. */
  get log(): string {
    return this.#log;
  }

  /** A caller without a token. */
  get api(): Api {
    return new Api(`http://127.0.0.1:${this.#port}`, null, this.options.heard);
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the service does not run');
    return this.#child.pid;
  }

  /** A client with the types of the contracts. */
  client(token: string) {
    return initClient(contract, {
      baseUrl: this.api.baseUrl,
      baseHeaders: { authorization: `Bearer ${token}` },
    });
  }

  /** The variables by which the service finds its stores, as in `env`. */
  get storeVariables(): Record<string, string | undefined> {
    const { environment = {} } = this.#stores ?? {};
    const { env = {} } = this.options;
    // By whichever of them a test chooses a cache, it means this one.
    const names = Object.keys(env).some((name) => name.startsWith('KVCACHE_')) ? ['KVCACHE_URL'] : [];
    return { ...environment, ...Object.fromEntries(names.map((name) => [name, undefined])) };
  }

  /** The database of the service, to be closed before `remove`. */
  async database(): Promise<Database> {
    if (!this.#stores) throw new Error('the service was not started yet');
    const { env = {} } = this.options;
    if (!('DATABASE_URL' in env)) return this.#stores.openDatabase();
    const { DATABASE_URL: url } = env;
    return url ? PostgresDatabase.open(url) : SqliteDatabase.open(join(this.dataDirectory, 'holdfast.db'));
  }

  async login(username = 'admin', password = adminPassword): Promise<Api> {
    const answer = await this.api.request('POST', '/api/auth/login', { form: { username, password } });
    if (answer.status !== 200) throw new Error(`login answered ${answer.status} ${answer.text}`);
    return this.api.as(answer.body.access_token);
  }

  async launch(): Promise<void> {
    mkdirSync(this.dataDirectory, { recursive: true });
    this.#port ||= await freePort();
    this.#stores = await storesOf(this.dataDirectory);
    const [program = '', ...parameters] = this.#command();
    const child = spawn(program, parameters, {
      cwd: this.workspace.path,
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#log += text;
      });
    }
    try {
      const how = { what: 'a healthy service', timeoutMs: 90_000, intervalMs: 50 };
      await waitFor(() => this.#isHealthy(child), how);
    } catch (error) {
      await this.stop('SIGKILL');
      throw error;
    }
  }

  /** Asks the service to end, and waits for it. Resolves to its exit code, null after a signal. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    this.#refuseLongChanges();
    return child.exitCode;
  }

  /** Stops the service and starts it again on the same port and data. */
  async restart(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.stop(signal);
    await this.launch();
  }

  /** Stops the service and removes its folder. */
  async remove(): Promise<void> {
    await this.stop();
    await this.removeStores();
    this.workspace.remove();
  }

  /** Ends the stores of all services on this data folder, which run no more. */
  async removeStores(): Promise<void> {
    await this.#stores?.remove();
  }

  /** While one holds the database, nobody else can write. */
  #refuseLongChanges(): void {
    const [told] = /^A change held the database .*$/m.exec(this.#log) ?? [];
    this.#log = this.#log.replaceAll(/^A change held the database /gm, 'Known: $&');
    if (told && !this.options.slowsDatabase) throw new Error(told);
  }

  #command(): string[] {
    if (!this.options.unprivileged || process.getuid?.() !== 0) {
      const service = [...loaded, this.options.entry ?? entry];
      return [...(this.options.wrapper ?? []), process.execPath, ...service];
    }
    chownSync(this.dataDirectory, nobody, nobody);
    const become = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
    return [...become, process.execPath, readableEntry(become, this.workspace.path)];
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.dataDirectory,
      HOST: '127.0.0.1',
      PORT: `${this.#port}`,
      DATA_DIR: this.dataDirectory,
      INITIAL_ADMIN_PASSWORD: adminPassword,
      HOLDFAST_VALIDATE_RESPONSES: '1',
      HOLDFAST_TEST_PACE: this.options.pace ?? 'fast',
      SHUTDOWN_GRACE_SECONDS: '5',
      ARCHIVE_SIZES_PER_MINUTE: '0',
      // It reads each archive once more: most tests do without.
      INDEX_MAX_MB: usesPostgres ? '100' : '0',
      ...this.storeVariables,
      ...(this.options.driver === 'memory' && { PLUGINS: memoryDriver }),
      ...this.options.env,
    };
  }

  async #isHealthy(child: ChildProcess): Promise<boolean> {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(
        `the service ended with ${child.exitCode ?? child.signalCode}:\n${this.#log.slice(-4000)}`,
      );
    }
    try {
      return (await this.api.get('/health')).body?.status === 'healthy';
    } catch (error) {
      // Nobody listens yet; anything else is a fault of the test.
      if (error instanceof TypeError && error.message === 'fetch failed') return false;
      throw error;
    }
  }
}
