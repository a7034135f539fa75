import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Api } from '../api.js';
import { RunningCommand } from '../command.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace, type Workspace } from '../workspace.js';
import { EventRecorder } from './event-recorder.js';
import { ExchangeLog } from './exchange-log.js';
import { embeddedStores, type LeakStores, realStores } from './leak-stores.js';
import { filesBelow, ofLog, ofProcess } from './materials.js';
import { ProcessSampler, type SeenProcess } from './process-sampler.js';
import { type Leak, leaksIn, type Material } from './scan.js';
import { type Secret, SecretBook } from './secret-book.js';

export type Stores = 'embedded' | 'real';

/** Files with keys, also while they are being written: they are there for the service alone, which has to close them. */
const keyFiles: { name: RegExp; kind: Secret['kind'] }[] = [
  { name: /\/data\/secret_key(\.\w+)?$/, kind: 'secret_key' },
  // The copy of the service, while that is saved; the key may come from the environment.
  { name: /\/data\/self-backup\/.+\/secret_key(\.\w+)?$/, kind: 'secret_key' },
  { name: /\/data\/self-backup\/.+\/secret_key(\.\w+)?$/, kind: 'given' },
  // The password of the database, for pg_dump.
  { name: /\/holdfast-pg-[^/]+\/password$/, kind: 'given' },
  { name: /\/data\/\.ssh\/holdfast_[^/]+$/, kind: 'system_key' },
  // For ssh, while the command line asks a host for a key.
  { name: /\/tmp\/holdfast-sheet-[^/]+\/holdfast_[^/]+$/, kind: 'system_key' },
  // The backup tool reads it there while it runs.
  { name: /\/driver-borg\/\.keys\/.+\/key[^/]*$/, kind: 'repository_key' },
];
/** A service of which everything that comes out is kept, to be searched for the secrets of its book. */
export class LeakWorld {
  readonly commands: Material[] = [];
  readonly #snapshots: Material[] = [];
  #events: EventRecorder | undefined;

  private constructor(
    readonly server: TestServer,
    readonly stores: LeakStores,
    readonly book: SecretBook,
    readonly exchanges: ExchangeLog,
    readonly sampler: ProcessSampler,
    readonly adminPassword: string,
  ) {}

  /** `env`: more of the service, for example plugins. */
  static async start(
    kind: Stores,
    env: (book: SecretBook, workspace: Workspace) => Record<string, string>,
  ): Promise<LeakWorld> {
    const [book, workspace] = [new SecretBook(), makeWorkspace()];
    const exchanges = new ExchangeLog(book);
    const [data, temporary] = [workspace.folder('data'), workspace.folder('tmp')];
    // Files of a moment may all be missed: this one shows that the folder is searched.
    writeFileSync(join(temporary, 'there-all-the-time'), 'no secret');
    const stores = kind === 'real' ? await realStores(book) : embeddedStores(data);
    const sampler = await ProcessSampler.start([temporary, data]);
    const adminPassword = book.plant('the password of the administrator', 'given');
    const server = await TestServer.start({
      workspace,
      heard: exchanges.add,
      env: {
        LOG_LEVEL: 'debug',
        TMPDIR: temporary,
        INITIAL_ADMIN_PASSWORD: adminPassword,
        METRICS_TOKEN: book.plant('the token of the metrics', 'given'),
        // Nobody listens there.
        HEARTBEAT_URL: `http://127.0.0.1:1/ping/${book.plant('the path of the monitor', 'given')}`,
        ...(kind === 'real' ? { SECRET_KEY: book.plant('the key of the service', 'given') } : {}),
        ...stores.environment,
        ...env(book, workspace),
      },
    });
    const world = new LeakWorld(server, stores, book, exchanges, sampler, adminPassword);
    if (kind === 'embedded') {
      book.keep(
        'the key of the service',
        readFileSync(join(data, 'secret_key'), 'utf8').trim(),
        'secret_key',
      );
    }
    return world;
  }

  async login(): Promise<Api> {
    const api = await this.server.login('admin', this.adminPassword);
    this.exchanges.administrator(api.token);
    return api;
  }

  /** Follows all events from the first one on. */
  async followEvents(api: Api): Promise<void> {
    this.#events = await EventRecorder.open(api);
  }

  /** Resolves when an event of this kind came. */
  async event(kind: string): Promise<void> {
    const came = () => this.#events?.text.includes(`event: ${kind}\n`);
    await waitFor(came, { what: `an event ${kind}` });
  }

  /** Runs the command line beside the service. */
  async command(parameters: string[], input = ''): Promise<void> {
    const { workspace, dataDirectory, options } = this.server;
    const env = { HOME: dataDirectory, DATA_DIR: dataDirectory, ...options.env };
    const ended = await new RunningCommand(parameters, { env, input, cwd: workspace.path }).ended;
    this.commands.push({
      channel: 'command line',
      place: parameters.join(' '),
      content: ended.out + ended.err,
    });
  }

  /** Takes down what is stored now, and may be gone later. */
  async snapshot(): Promise<void> {
    this.#snapshots.push(...(await this.stores.contents()));
  }

  /** Everything that came out, once no more comes. */
  async leaks(): Promise<Leak[]> {
    await this.snapshot();
    const events = (await this.#events?.close()) ?? '';
    await this.server.stop();
    const { processes, files } = await this.sampler.stop();
    const shortLived = files.map(({ path, content, mode }) => this.#file(path, content, mode));
    const materials = [
      ofLog(this.server.log),
      { channel: 'events', place: 'GET /api/events', content: events } as const,
      ...this.commands,
      ...this.exchanges.materials(),
      ...this.#snapshots,
      ...shortLived,
      ...[...filesBelow(this.server.workspace.path)].map((path) =>
        this.#file(path, readFileSync(path), statSync(path).mode),
      ),
      ...processes.flatMap(ofProcess),
    ];
    this.seen = { processes, materials };
    return leaksIn(materials, this.book);
  }

  /** What the last search looked at. */
  seen: { processes: SeenProcess[]; materials: Material[] } = { processes: [], materials: [] };

  /** Files that hold a key for the service now. */
  keyFiles(): string[] {
    return [...filesBelow(this.server.workspace.path)]
      .filter((file) => keyFiles.some(({ name }) => name.test(file)))
      .map((file) => relative(this.server.workspace.path, file));
  }

  async remove(): Promise<void> {
    this.sampler.kill();
    await this.server.remove();
    await this.stores.remove();
  }

  #file(path: string, content: Buffer, mode: number): Material {
    const isClosed = (mode & 0o077) === 0;
    const allowed = keyFiles.filter(({ name }) => isClosed && name.test(path)).map((file) => file.kind);
    const inTemporary = path.startsWith(join(this.server.workspace.path, 'tmp'));
    return {
      channel: inTemporary ? 'temporary files' : 'files',
      place: relative(this.server.workspace.path, path),
      content,
      mayHold: ({ kind }) => allowed.includes(kind),
    };
  }
}
