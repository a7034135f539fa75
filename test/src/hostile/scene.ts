import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Api } from '../api.js';
import { restoreEnd } from '../restore.js';
import { nobody, TestServer } from '../server.js';
import type { TestSshd } from '../services/sshd.js';
import { type Connection, quickSetup } from '../ssh-actions.js';
import { borgPython } from './borg-python.js';
import { type HostileCase, type HostileEntry, hostileCases, wholeName, zerosName } from './cases.js';
import { everythingBelow, factsOf, strays } from './outside.js';

/** The sources are TypeScript; the script lies beside them. */
const script = fileURLToPath(new URL('./make-archives.py', import.meta.url));
const secret = 'a secret of the machine';
const whole = 'whole';

export type Outcome = 'refused' | 'restored' | 'failed';

/** A service with a user of its own, a machine full of other people's files around it, and a host. */
export class Scene {
  #batch = 0;

  private constructor(
    readonly name: string,
    private readonly server: TestServer,
    private readonly api: Api,
    private readonly sshd: TestSshd,
    private readonly connection: Connection,
  ) {}

  static async start(name: string, sshd: TestSshd, unprivileged: boolean): Promise<Scene> {
    const env = { EXPENSIVE_CALLS_PER_MINUTE: '1000000' };
    const server = await TestServer.start({ unprivileged, env });
    const api = await server.login();
    const connection = await quickSetup(api, sshd);
    const scene = new Scene(name, server, api, sshd, connection);
    for (const folder of ['stores', 'restored', 'tars', 'borg']) scene.#own(server.workspace.folder(folder));
    scene.#furnish(scene.victims.here);
    sshd.ownFolder(name, 'restored');
    scene.#furnish(scene.victims.there);
    return scene;
  }

  remove(): Promise<void> {
    return this.server.remove();
  }

  /** Folders that no archive has to do with. The service, or the account of the host, could write there. */
  get victims() {
    return {
      here: join(this.server.workspace.path, 'victim'),
      there: join(this.sshd.home, this.name, 'victim'),
    };
  }

  #own(path: string): void {
    if (this.server.options.unprivileged && process.getuid?.() === 0) chownSync(path, nobody, nobody);
  }

  /** So that each archive answers for itself. */
  #renew(): void {
    for (const victim of [this.victims.here, this.victims.there]) {
      rmSync(victim, { recursive: true, force: true });
      this.#furnish(victim);
    }
  }

  #furnish(victim: string): void {
    const there = victim === this.victims.there;
    const give = (path: string) => (there ? this.sshd.own(path) : this.#own(path));
    for (const folder of [victim, join(victim, 'open')]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o755);
      give(folder);
    }
    for (const file of ['secret', 'open/in']) {
      writeFileSync(join(victim, file), secret, { mode: 0o600 });
      give(join(victim, file));
    }
  }

  cases(seed: number, count: number): HostileCase[] {
    return hostileCases(this.victims, seed, count);
  }

  /** Puts the archives into a repository of their own and restores each; `verdict` is told of each. */
  async run(
    cases: readonly HostileCase[],
    verdict: (each: HostileCase, outcome: Outcome, faults: string[]) => void,
  ) {
    this.#batch += 1;
    const path = join(this.server.workspace.path, 'stores', `${this.#batch}`);
    const archives = cases.map(({ entries }, number) => ({ name: `a${number}`, entries }));
    await this.#make({ repository: path, folder: join(this.server.workspace.path, 'tars'), archives });
    const imported = { name: `r${this.#batch}`, path, mode: 'observe' };
    expect((await this.api.post('/api/repositories/import', imported)).status).toBe(201);
    for (const [number, each] of cases.entries()) {
      const { outcome, faults } = await this.#restore(path, `a${number}`, each);
      verdict(each, outcome, faults);
    }
  }

  /** How a damaged file and a further name of it are downloaded, and a whole one. */
  async downloads(): Promise<{ status: number; text: string }[]> {
    const path = join(this.server.workspace.path, 'stores', 'damaged');
    const entries: HostileEntry[] = [
      { path: 'f', type: 'file', zeros: 3000, damaged: true },
      { path: 'h', type: 'hardlink', target: 'f' },
      { path: 'whole', type: 'file', content: 'whole' },
    ];
    const folder = join(this.server.workspace.path, 'tars');
    await this.#make({ repository: path, folder, archives: [{ name: 'a', entries }] });
    const imported = { name: 'damaged', path, mode: 'observe' };
    expect((await this.api.post('/api/repositories/import', imported)).status).toBe(201);
    const get = (file_path: string) =>
      this.api.get('/api/archives/download', { repository: path, archive: 'a', file_path });
    return [await get('f'), await get('h'), await get('whole')];
  }

  async #make(plan: object): Promise<void> {
    const uid =
      this.server.options.unprivileged && process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
    const folder = join(this.server.workspace.path, 'borg');
    const child = spawn(borgPython(), ['-', 'make'], {
      ...uid,
      env: {
        PATH: process.env.PATH,
        LC_ALL: 'C.UTF-8',
        HOME: folder,
        BORG_BASE_DIR: folder,
        BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
      },
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    const ended = once(child, 'close');
    // The folder of the tests may be closed to other users.
    child.stdin.end(
      `import io, sys\nsys.stdin = io.StringIO(${asPython(JSON.stringify(plan))})\n${readFileSync(script, 'utf8')}`,
    );
    const [code] = await ended;
    if (code !== 0) throw new Error(`make-archives.py ended with ${code}`);
  }

  async #restore(repository: string, archive: string, each: HostileCase) {
    const destination = this.#destination(each.remote);
    const folders = [this.server.workspace.path, ...(each.remote ? [join(this.sshd.home, this.name)] : [])];
    const allowed = new Set([destination, join(this.server.workspace.path, 'stores')]);
    const { here, there } = this.victims;
    const before = [...factsOf(here), ...factsOf(there)];
    const { outcome, said } = await this.#ask(repository, { archive, destination, each });
    const after = new Set([...factsOf(here), ...factsOf(there)]);
    const stray = strays(folders, allowed);
    const faults = [
      ...before.filter((line) => !after.has(line)).map((line) => `changed outside: ${line}`),
      ...(before.length === after.size ? [] : ['something is new outside']),
      ...stray.map((path) => `written outside: ${path}`),
      ...wrongInside(destination),
      ...(/unexpected error|ENOTDIR|EEXIST|not within/i.test(said) ? [`said: ${said}`] : []),
      ...(each.sound && outcome === 'refused' && !/already exists|has no path|two trees/.test(said)
        ? [`refused: ${said}`]
        : []),
    ];
    for (const path of [destination, ...stray])
      rmSync(Buffer.from(path, 'latin1'), { recursive: true, force: true });
    if (before.some((line) => !after.has(line)) || before.length !== after.size) this.#renew();
    return { outcome, faults };
  }

  #destination(remote: boolean): string {
    const parent = remote
      ? join(this.sshd.home, this.name, 'restored')
      : join(this.server.workspace.path, 'restored');
    const destination = join(parent, 'deep', 'destination');
    const files = [wholeName, `${wholeName}-too`];
    for (const folder of [join(parent, 'deep'), destination]) {
      if (!existsSync(folder)) mkdirSync(folder);
      remote ? this.sshd.own(folder) : this.#own(folder);
    }
    for (const file of files) {
      writeFileSync(join(destination, file), whole);
      remote ? this.sshd.own(join(destination, file)) : this.#own(join(destination, file));
    }
    return destination;
  }

  async #ask(
    repository: string,
    { archive, destination, each }: { archive: string; destination: string; each: HostileCase },
  ): Promise<{ outcome: Outcome; said: string }> {
    const plan = await this.api.post('/api/restore/plan', {
      repository,
      archive,
      destination,
      strip_components: each.stripComponents,
      ...(each.conflict === 'none' ? {} : { [each.conflict]: true }),
      ...(each.remote ? { destination_connection_id: this.connection.id } : {}),
      ...(each.chosen === null ? {} : { paths: [firstPart(each)] }),
    });
    if (plan.status !== 200) return { outcome: 'refused', said: plan.text };
    if (!plan.body.can_start) return { outcome: 'refused', said: plan.body.obstacles.join(' ') };
    const started = await this.api.post('/api/restore/start', { plan_id: plan.body.plan_id });
    if (started.status !== 200) return { outcome: 'refused', said: started.text };
    const job = await restoreEnd(this.api, started.body.job_id).catch((error: Error) => error);
    if (job instanceof Error) return { outcome: 'failed', said: job.message };
    return {
      outcome: job.status.startsWith('completed') ? 'restored' : 'failed',
      said: job.error_message ?? '',
    };
  }
}

const asPython = (text: string): string => JSON.stringify(text);

/** As callers write it: each byte that isn't UTF-8 as `\udcXX`. */
function firstPart({ entries, chosen }: HostileCase): string {
  const { path } = entries[(chosen ?? 0) % entries.length] ?? { path: 'x' };
  const first = path.split('/').find((part) => part !== '' && part !== '..') ?? 'x';
  return first.replace(/[\x80-\xff]/g, (unit) => `\\udc${unit.charCodeAt(0).toString(16)}`);
}

/** What no archive may bring to its destination either. */
function wrongInside(destination: string): string[] {
  const faults: string[] = [];
  for (const { path, stats, bytes } of everythingBelow(destination)) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name.startsWith('.holdfast')) faults.push(`left behind: ${path}`);
    if (!stats.isFile() || stats.size > 100_000n) continue;
    const content = readFileSync(bytes, 'latin1');
    if (content.includes(secret)) faults.push(`brought a secret: ${path}`);
    if (name.startsWith(zerosName) || (name === wholeName && content !== whole))
      faults.push(`brought zeros: ${path}`);
  }
  return faults;
}
