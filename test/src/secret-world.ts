import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createRepository, endedJob, passphrase, type Repository, startBackup } from './actions.js';
import type { Api } from './api.js';
import { TestServer } from './server.js';
import { type RedisServer, startRedis } from './services/redis.js';
import { makeFiles } from './trees.js';
import { waitFor } from './wait-for.js';

export const parameter = 'parameter-secret-4714';

const scripts = ['hook', 'after', 'schedule'] as const;
type Script = (typeof scripts)[number];

/** A service that keeps a secret of every kind, and was killed while a hook ran that was told one. */
export class SecretWorld {
  private constructor(
    readonly server: TestServer,
    readonly redis: RedisServer,
    readonly repository: Repository,
  ) {}

  static async make(): Promise<SecretWorld> {
    const redis = await startRedis({ password: 'redis-secret-4711' });
    const server = await TestServer.start();
    const api = await server.login();
    const source = server.workspace.folder('source');
    makeFiles(source, 5);
    const path = join(server.workspace.path, 'repository');
    const facts = { name: 'r', path, source_directories: [source], encryption: 'keyfile' };
    const world = new SecretWorld(server, redis, await createRepository(api, facts));
    await world.#addSecrets(api);
    return world;
  }

  get database(): string {
    return join(this.server.dataDirectory, 'holdfast.db');
  }

  async #addSecrets(api: Api): Promise<void> {
    const url = 'json://user:url-secret-4712@127.0.0.1:1/';
    const made = [
      await api.post('/api/notifications', { name: 'on call', service_url: url, enabled: false }),
      await api.post('/api/ssh-keys/generate', { name: 'own', key_type: 'ed25519' }),
      await api.put('/api/settings/cache', {
        url: `redis://:redis-secret-4711@127.0.0.1:${this.redis.port}/3`,
      }),
      await api.post('/api/scripts', { name: 'telling', content: this.#script('hook') }),
      await api.post('/api/scripts', { name: 'scheduled', content: this.#script('schedule') }),
      await api.post('/api/scripts', { name: 'closing', content: this.#script('after') }),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 200, 201, 201, 201]);
    const [hook, scheduled, after] = made.slice(3).map(({ body }) => body.id as number);
    const values = { API_TOKEN: parameter };
    const attach = (script_id: number | undefined, hook_type: string) =>
      api.post(`/api/repositories/${this.repository.id}/scripts`, {
        script_id,
        hook_type,
        parameter_values: values,
        continue_on_error: false,
      });
    const attached = [await attach(hook, 'pre-backup'), await attach(after, 'post-backup')];
    const schedule = await api.post('/api/schedule/', {
      name: 'yearly',
      cron_expression: '0 0 1 1 *',
      repository_ids: [this.repository.id],
      pre_backup_script_id: scheduled,
      pre_backup_script_parameters: values,
      run_repository_scripts: true,
    });
    expect([...attached, schedule].map(({ status }) => status)).toEqual([201, 201, 201]);
    const run = await api.post(`/api/schedule/${schedule.body.job.id}/run-now`);
    for (const id of run.body.job_ids) expect((await endedJob(api, id)).status).toBe('completed');
  }

  /** Writes what it was told; goes on for long while there is a file `hold`. */
  #script(name: Script): string {
    const hold = join(this.server.workspace.path, 'hold');
    return `printf '%s' "\${API_TOKEN}" > ${this.#file(name)}; if [ -e ${hold} ]; then sleep 600; fi`;
  }

  #file(name: Script): string {
    return join(this.server.workspace.path, `${name}.told`);
  }

  #forget(): void {
    for (const name of scripts) rmSync(this.#file(name), { force: true });
  }

  told(name: Script): string | null {
    const file = this.#file(name);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }

  /** The hook after the backup is owed from then on. */
  async killInHook(): Promise<void> {
    const hold = join(this.server.workspace.path, 'hold');
    writeFileSync(hold, '');
    this.#forget();
    await startBackup(await this.server.login(), this.repository.path);
    await waitFor(() => this.told('hook') === parameter, {
      what: 'the hook',
      timeoutMs: 30_000,
      intervalMs: 20,
    });
    await this.server.stop('SIGKILL');
    rmSync(hold);
    this.#forget();
  }

  /** All that is sealed is used: the passphrase and key of the repository, and what scripts are told. */
  async useSecrets(api: Api): Promise<void> {
    this.#forget();
    const { body } = await api.get('/api/schedule/');
    const run = await api.post(`/api/schedule/${body.jobs[0].id}/run-now`);
    for (const id of run.body.job_ids) expect((await endedJob(api, id)).status).toBe('completed');
    expect(scripts.map((name) => this.told(name))).toEqual(scripts.map(() => parameter));
    expect((await api.get('/api/cache/stats')).body.backend).toBe('redis');
  }

  async remove(): Promise<void> {
    await this.server?.remove();
    await this.redis?.remove();
  }
}

export const secretsInIt = [passphrase, parameter, 'url-secret-4712', 'redis-secret-4711'];
