import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { backUp, createRepository, type Job, passphrase, type Repository } from './actions.js';
import type { Api } from './api.js';
import { type EntryFacts, treeFacts } from './oracles/tree-facts.js';
import { type ServerOptions, TestServer } from './server.js';
import { makeSourceTree } from './services/source-tree.js';
import { TestSshd } from './services/sshd.js';
import { type Connection, connectionActions, quickSetup } from './ssh-actions.js';

/** A service, a host with one of every kind of file, and the connection between them. */
export class PullFixture {
  private constructor(
    readonly server: TestServer,
    readonly sshd: TestSshd,
    readonly api: Api,
    readonly connection: Connection,
    /** The folder of the files on the host. */
    readonly tree: string,
  ) {}

  static async start(options: ServerOptions = {}): Promise<PullFixture> {
    const [server, sshd] = await Promise.all([TestServer.start(options), TestSshd.start()]);
    const api = await server.login();
    const connection = await quickSetup(api, sshd);
    return new PullFixture(server, sshd, api, connection, makeSourceTree(sshd, 'data', 'tree of files'));
  }

  async remove(): Promise<void> {
    await this.server.remove();
    await this.sshd.remove();
  }

  get actions() {
    return connectionActions(this.api, this.connection.id);
  }

  /** A repository here of the data there. */
  create(name: string, more: object = {}): Promise<Repository> {
    return createRepository(this.api, {
      name,
      path: join(this.server.workspace.path, 'stores', name),
      source_connection_id: this.connection.id,
      source_directories: [this.tree],
      ...more,
    });
  }

  /** A backup that leaves no trace on the host: neither files nor times, the tool's own caches apart. */
  async pull(repository: Repository): Promise<Job> {
    const own = /^(\.|\.cache.*|\.config.*|\.ssh.*)$/;
    const kept = (facts: Record<string, EntryFacts>) =>
      Object.entries(facts).filter(([name]) => !own.test(name));
    const before = kept(treeFacts(this.sshd.home));
    const job = await backUp(this.api, repository.path);
    expect(kept(treeFacts(this.sshd.home))).toEqual(before);
    return job;
  }

  /** The bare tool on the repository. */
  borg(words: string[], cwd = this.server.workspace.path): string {
    const env = {
      PATH: process.env.PATH,
      HOME: this.server.workspace.folder('bare'),
      BORG_PASSPHRASE: passphrase,
      BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
      LANG: 'C.UTF-8',
    };
    return execFileSync('borg', words, { env, cwd, encoding: 'utf8' });
  }

  /** Where the bare tool put the tree on disk. */
  extracted(repository: Repository, archive: string): string {
    const folder = this.server.workspace.folder('extracted', archive);
    this.borg(['extract', '--numeric-ids', `${repository.path}::${archive}`], folder);
    return join(folder, this.tree);
  }

  async logOf({ id }: Job): Promise<string> {
    const { body } = await this.api.get(`/api/backup/logs/${id}/stream`);
    return body.lines.map((line: { content: string }) => line.content).join('\n');
  }
}
