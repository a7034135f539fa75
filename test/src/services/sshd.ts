import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/services/own-server.mjs';
import {
  folderPrefix,
  makeAccount,
  removeAccount,
  sudoRule,
} from '../../../scripts/services/ssh-accounts.mjs';
import { allProcesses, type ProcessFacts } from '../processes.js';
import { fingerprintOf, type HostKeyType, hostKeyFile, hostKeyOf, makeHostKeys } from './host-keys.js';
import { onSmallDisk, type SshdOptions, sshdConfig } from './sshd-config.js';
import { SshdProcess } from './sshd-process.js';

interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * A real sshd on a free port of 127.0.0.1 with host keys of its own and one account `hf-…` of this machine, made for
 * it and removed with it. Needs root.
 */
export class TestSshd {
  readonly host = '127.0.0.1';
  port = 0;
  readonly #process = new SshdProcess();

  private constructor(
    readonly options: SshdOptions,
    readonly folder: string,
    readonly home: string,
    readonly account: Account,
    readonly password: string,
  ) {
    process.on('exit', this.#leave);
  }

  static async start(options: SshdOptions = {}): Promise<TestSshd> {
    // sshd locks accounts only into folders that nobody else can change, and `/tmp` is none.
    const parent = options.sftpOnly === 'chroot' ? '/run' : tmpdir();
    const folder = mkdtempSync(join(parent, folderPrefix));
    chmodSync(folder, 0o755);
    const home = join(folder, 'home');
    mkdirSync(home);
    const server = await TestSshd.#withAccount(options, folder, home);
    try {
      server.#furnish();
      await makeHostKeys(folder, options.hostKeyTypes);
      await server.launch();
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  static async #withAccount(options: SshdOptions, folder: string, home: string): Promise<TestSshd> {
    // With everything in it that a shell could take amiss.
    const password = `pa"ss'$(id) \\${randomBytes(9).toString('hex')}`;
    try {
      const account = await makeAccount({ home, shell: '/bin/bash', password });
      return new TestSshd(options, folder, home, account, password);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get username(): string {
    return this.account.name;
  }

  /** What requests take. */
  get login(): { host: string; port: number; username: string; password: string } {
    const { host, port, username, password } = this;
    return { host, port, username, password };
  }

  /** Everything that the server wrote so far. */
  get log(): string {
    return this.#process.log;
  }

  get pid(): number {
    return this.#process.pid;
  }

  get authorizedKeysFile(): string {
    return join(this.home, '.ssh', 'authorized_keys');
  }

  /** The lines of `authorized_keys`; none where there is no such file. */
  authorizedKeys(): string[] {
    if (!existsSync(this.authorizedKeysFile)) return [];
    return readFileSync(this.authorizedKeysFile, 'utf8').split('\n').filter(Boolean);
  }

  /** As the account itself would write it. */
  writeAuthorizedKeys(content: string): void {
    this.ownFolder('.ssh');
    writeFileSync(this.authorizedKeysFile, content, { mode: 0o600 });
    this.own(this.authorizedKeysFile);
  }

  /** `type base64`. */
  hostKey(type: HostKeyType = 'ed25519'): string {
    return hostKeyOf(this.folder, type);
  }

  fingerprint(type: HostKeyType = 'ed25519'): Promise<string> {
    return fingerprintOf(hostKeyFile(this.folder, type));
  }

  /** Makes a folder below the home that belongs to the account. */
  ownFolder(...parts: string[]): string {
    let path = this.home;
    for (const part of parts.flatMap((part) => part.split('/'))) {
      path = join(path, part);
      if (!existsSync(path)) {
        mkdirSync(path);
        this.own(path);
      }
    }
    return path;
  }

  /** Gives a file or folder to the account. */
  own(path: string): void {
    chownSync(path, this.account.uid, this.account.gid);
  }

  /** From now on sudo lets the account run this without a password. */
  allowSudo(command = '/bin/sh'): void {
    writeFileSync(sudoRule(this.username), `${this.username} ALL=(root) NOPASSWD: ${command}\n`, {
      mode: 0o440,
    });
  }

  /** Starts it, or starts it again on the same port. */
  async launch(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const port = this.port || (await freePort());
      if (await this.#start(port)) {
        this.port = port;
        return;
      }
      if (this.port !== 0 || tries === 5) throw new Error(`sshd does not start:\n${this.log}`);
    }
  }

  /** Ends it with every session; the port, the keys and the account stay. */
  stop(): Promise<void> {
    return this.#process.stop();
  }

  /** What runs for the account right now. */
  commands(): ProcessFacts[] {
    return allProcesses().filter(
      ({ uid, command }) => uid === this.account.uid && !command.startsWith('sshd:'),
    );
  }

  /** `kill -9` of every session, as when the line goes dead. Returns how many processes that were. */
  killSessions(): number {
    return this.#process.killSessions();
  }

  /** From now on the host shows other keys, on the same port. */
  async exchangeHostKeys(): Promise<void> {
    await this.stop();
    await makeHostKeys(this.folder, this.options.hostKeyTypes);
    await this.launch();
  }

  /** Ends it and removes its account and folder. */
  async remove(): Promise<void> {
    await this.stop();
    this.#leave();
    process.off('exit', this.#leave);
  }

  #leave = (): void => {
    this.#process.kill();
    removeAccount(this.account.name);
    rmSync(this.folder, { recursive: true, force: true });
  };

  #furnish(): void {
    const { home, options } = this;
    if (options.sftpOnly === 'chroot') {
      this.ownFolder('.ssh');
      this.ownFolder('data');
    } else {
      this.own(home);
    }
    if (options.smallDisk !== undefined) this.ownFolder('small');
    if (options.shellStart !== undefined) writeFileSync(join(home, '.bashrc'), `${options.shellStart}\n`);
  }

  #start(port: number): Promise<boolean> {
    const place = { folder: this.folder, home: this.home, username: this.username, port };
    const config = join(this.folder, 'sshd_config');
    writeFileSync(config, sshdConfig(this.options, place));
    const program = process.env.TEST_SSHD ?? '/usr/sbin/sshd';
    return this.#process.start([...onSmallDisk(this), program, '-D', '-e', '-f', config]);
  }
}
