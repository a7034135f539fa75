import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Answer, Api } from './api.js';
import { nobody, TestServer } from './server.js';
import { fingerprintOf } from './services/host-keys.js';
import { systemKey } from './ssh-actions.js';

export const keygen = (...parameters: string[]): string =>
  execFileSync('ssh-keygen', parameters, { encoding: 'utf8' });
const permissions = (path: string) => (statSync(path).mode & 0o7777).toString(8);
/** Type and material of a public key line, without its comment. */
const material = (line: string) => line.trim().split(' ').slice(0, 2).join(' ');

/** A service that is not root (which may read every file), and key files for it. */
export class KeyFixture {
  #count = 0;

  private constructor(
    readonly server: TestServer,
    public api: Api,
    readonly keys: string,
  ) {}

  static async start(): Promise<KeyFixture> {
    const server = await TestServer.start({ unprivileged: true });
    const keys = server.workspace.folder('keys');
    chmodSync(keys, 0o755);
    return new KeyFixture(server, await server.login(), keys);
  }

  async restart(): Promise<void> {
    await this.server.restart();
    this.api = await this.server.login();
  }

  get sshFolder(): string {
    return join(this.server.dataDirectory, '.ssh');
  }

  inSshFolder(): string[] {
    return existsSync(this.sshFolder) ? readdirSync(this.sshFolder).sort() : [];
  }

  /** A private key that the service may read, made by ssh-keygen. */
  makeKey(...parameters: string[]): string {
    this.#count += 1;
    const file = join(this.keys, `key-${this.#count}`);
    keygen('-q', '-f', file, '-C', 'a comment', ...parameters);
    return this.give(file);
  }

  /** A file that the service may read. */
  write(name: string, content: string | Buffer, mode = 0o600): string {
    const file = join(this.keys, name);
    writeFileSync(file, content, { mode });
    return this.give(file);
  }

  give(file: string): string {
    chownSync(file, nobody, nobody);
    return file;
  }

  importKey(private_key_path: unknown, more: object = {}): Promise<Answer> {
    return this.api.post('/api/ssh-keys/import', { name: 'imported', private_key_path, ...more });
  }

  async removeKey(): Promise<void> {
    const key = await systemKey(this.api);
    if (key) expect((await this.api.delete(`/api/ssh-keys/${key.id}`)).status).toBe(200);
  }

  /** What the service tells and writes is what ssh-keygen reads from the public key. */
  async expectKeyAsOf(publicKeyFile: string, type: string): Promise<void> {
    const key = await systemKey(this.api);
    const expected = material(readFileSync(publicKeyFile, 'utf8'));
    expect(key).toMatchObject({ key_type: type, fingerprint: await fingerprintOf(publicKeyFile) });
    expect(material(key?.public_key ?? '')).toBe(expected);
    const written = join(this.sshFolder, `holdfast_${type}`);
    expect(this.inSshFolder()).toEqual([`holdfast_${type}`, `holdfast_${type}.pub`]);
    expect([this.sshFolder, written, `${written}.pub`].map(permissions)).toEqual(['700', '600', '644']);
    // An empty passphrase opens it, and it is the same key.
    expect(material(keygen('-y', '-P', '', '-f', written))).toBe(expected);
    expect(await fingerprintOf(`${written}.pub`)).toBe(key?.fingerprint);
  }
}
