import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { archivesOf, backUp, createRepository, passphrase, type Repository } from '../actions.js';
import type { Answer, Api } from '../api.js';
import { holdersIn, type Installation, survey } from '../invariants/survey.js';
import type { World } from '../invariants/world.js';
import { Borg } from '../oracles/borg.js';
import { scratchOf } from '../self-backup.js';
import { TestServer } from '../server.js';
import { HttpSink, webhookUrl } from '../services/http-sink.js';
import { clockAhead } from '../soak/clock-ahead.js';
import { WriterRecord } from '../soak/writer-record.js';
import type { Database } from '../store/database.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';
import { markedBy, type Point } from './point.js';

/** Longer than a lease and the patience of those who take over: who starts after it need not wait. */
const absenceSeconds = 45;
/** What comes after the end of a job by itself begins within this. */
const quietMs = 500;
const settledWithinMs = 180_000;

/** One service with one small repository, which ends itself where it is told to. */
export class Scene {
  readonly workspace = makeWorkspace();
  readonly record = new WriterRecord(this.workspace.folder('record'));
  readonly promised: number[] = [];
  /** Names of archives that were to be signed. */
  readonly unsigned: string[] = [];
  /** That the repository was to get, newest last. */
  readonly passphrases = [passphrase];
  /** Of them, the one that opens it. */
  passphrase = passphrase;
  /** The last one before what was asked for last. */
  lastJob = 0;
  repository!: Repository;
  source = '';
  api!: Api;
  sink!: HttpSink;
  #server!: TestServer;
  #database!: Database;
  #orderFile = join(this.workspace.path, 'order');
  #absences = 0;

  static async open(): Promise<Scene> {
    const scene = new Scene();
    await scene.#open();
    return scene;
  }

  async #open(): Promise<void> {
    this.sink = await HttpSink.open();
    this.#server = await TestServer.start({
      workspace: this.workspace,
      env: {
        PATH: `${this.record.bin}:${process.env.PATH}`,
        ...markedBy(this.#orderFile, this.workspace.path),
      },
    });
    this.#database = await this.#server.database();
    this.api = await this.#server.login();
    const all = {
      notify_on_backup_success: true,
      notify_on_restore_success: true,
      notify_on_check_success: true,
    };
    const told = await this.api.post('/api/notifications', {
      name: 'all',
      service_url: webhookUrl(this.sink),
      notify_on_backup_start: true,
      ...all,
    });
    if (told.status !== 201) throw new Error(`the notification was answered by ${told.status} ${told.text}`);
    this.source = this.workspace.folder('source');
    makeFiles(this.source, 3);
    const path = join(this.workspace.path, 'repository');
    this.repository = await createRepository(this.api, {
      name: 'one',
      path,
      source_directories: [this.source],
    });
    await this.backUp();
  }

  get dataDirectory(): string {
    return this.#server.dataDirectory;
  }

  get #installation(): Installation {
    const { workspace, record, sink, api, passphrase } = this;
    return {
      now: this.#now,
      servers: [this.#server],
      api,
      database: this.#database,
      record,
      sink,
      passphrase,
      folder: workspace.path,
      dataDirectory: this.#server.dataDirectory,
    };
  }

  #now = () => Date.now() + this.#absences * absenceSeconds * 1_000;

  get isDead(): boolean {
    try {
      process.kill(this.#server.pid, 0);
      return false;
    } catch {
      return true;
    }
  }

  /** Asks for something, and keeps which jobs the answer named. Null where no answer came. */
  async ask(request: () => Promise<Answer>): Promise<Answer | null> {
    const [last] = await this.#database.all<{ id: number }>('SELECT MAX(id) AS id FROM job');
    this.lastJob = last?.id ?? 0;
    const answer = await request().catch((error: unknown) => {
      if (error instanceof TypeError) return null;
      throw error;
    });
    if (answer && answer.status !== 200) throw new Error(`answered by ${answer.status} ${answer.text}`);
    if (answer) this.promised.push(...(answer.body.job_ids ?? [answer.body.job_id]));
    return answer;
  }

  /** All steps of what `request` brings about. */
  async steps(request: () => Promise<Answer>): Promise<Point[]> {
    const record = join(this.workspace.path, 'steps');
    rmSync(record, { force: true });
    writeFileSync(this.#orderFile, JSON.stringify({ record }));
    await this.ask(request);
    await waitFor(() => this.isSettled(), { what: 'the end of everything', timeoutMs: settledWithinMs });
    rmSync(this.#orderFile);
    const lines = existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : [];
    return lines.map((line) => JSON.parse(line) as Point);
  }

  /** True when the service ended itself at the point; false when the work was done without coming to it. */
  async dieAt(point: Point, request: () => Promise<Answer>): Promise<boolean> {
    writeFileSync(this.#orderFile, JSON.stringify(point));
    await this.ask(request);
    await waitFor(async () => this.isDead || (await this.isSettled()), {
      what: `the end at ${JSON.stringify(point)}`,
      timeoutMs: settledWithinMs,
    });
    rmSync(this.#orderFile);
    return this.isDead;
  }

  /** Starts the service again, as if it had been away for some time. */
  async comeBack(): Promise<void> {
    this.#absences += 1;
    Object.assign(this.#server.options.env ?? {}, clockAhead(this.#absences * absenceSeconds));
    await this.#server.restart('SIGKILL');
  }

  /** Nothing is left to be done, and nothing new begins. */
  async isSettled(): Promise<boolean> {
    if (!(await this.#isIdle())) return false;
    await pause(quietMs);
    return !this.isDead && (await this.#isIdle());
  }

  async #isIdle(): Promise<boolean> {
    const open = `SELECT
      (SELECT COUNT(*) FROM job WHERE status IN ('pending', 'running')) +
      (SELECT COUNT(*) FROM slot WHERE outcome = 'running') +
      (SELECT COUNT(*) FROM hook_journal WHERE stage <> 'closed') +
      (SELECT COUNT(*) FROM delivery WHERE status IN ('collecting', 'pending')) AS count`;
    const [row] = await this.#database.all<{ count: number }>(open);
    return row?.count === 0 && (await holdersIn(this.#database, this.#now)).length === 0;
  }

  /** How it all stands, when it does not change any more or should not. */
  async world(): Promise<World> {
    await waitFor(() => this.isSettled(), { what: 'the end', timeoutMs: settledWithinMs }).catch(() => {});
    await this.#findPassphrase();
    const planned = await this.#database.all<{ schedule: number; at: number }>(
      'SELECT schedule_id AS schedule, planned_at AS at FROM slot',
    );
    return survey(this.#installation, { planned, promised: this.promised, wrongAnswers: [] });
  }

  async #findPassphrase(): Promise<void> {
    if (this.passphrases.length === 1) return;
    const { path } = this.repository;
    for (const passphrase of this.passphrases.slice(-2)) {
      const borg = new Borg(path, this.workspace.folder('by-hand'), { passphrase });
      if (await borg.list().catch(() => null)) this.passphrase = passphrase;
    }
  }

  async backUp(): Promise<void> {
    const job = await backUp(this.api, this.repository.path);
    if (job.status !== 'completed') throw new Error(`the next backup ${job.status}: ${job.error_message}`);
  }

  /** Adds an archive as borg before 1.2.5 left it when it renamed one. */
  async addUnsigned(): Promise<void> {
    const { path } = this.repository;
    const borg = new Borg(path, this.workspace.folder('by-hand'), { passphrase });
    const name = `renamed-${this.unsigned.length}`;
    await borg.run('create', `${path}::draft`, this.source);
    await borg.run('rename', `${path}::draft`, name);
    this.unsigned.push(name);
  }

  /** Makes the repository the one that the service saves itself into. */
  async makeOwn(): Promise<void> {
    await this.#database.all('UPDATE repository SET self_backup = 1');
  }

  /** What is left of copies of the service. */
  scratch = () => scratchOf(this.#server.dataDirectory);

  archives = () => archivesOf(this.api, this.repository.path);

  async severalArchives() {
    if ((await this.archives()).length < 2) await this.backUp();
    return this.archives();
  }

  async remove(): Promise<void> {
    await this.#end();
    this.workspace.remove();
  }

  /** Leaves everything to be looked at; resolves to where. */
  async keep(): Promise<string> {
    await this.#end();
    writeFileSync(join(this.workspace.path, 'server.log'), this.#server.log);
    return this.workspace.path;
  }

  async #end(): Promise<void> {
    await this.#server?.stop('SIGKILL');
    await this.#database?.close();
    await this.sink?.close();
  }
}
