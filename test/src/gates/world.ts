import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { freePort } from '../../../scripts/services/own-server.mjs';
import { backUp, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { nobody, type ServerOptions, TestServer } from '../server.js';

/** A service that has one of everything, and whose only way out is to a closed port of this machine. */
export interface World {
  server: TestServer;
  api: Api;
  closedPort: number;
  /** Folders below a temporary one: of repositories, and of files to back up. */
  stores: string;
  source: string;
  archive: string;
}

export const userPassword = 'a password of mira';

export async function makeWorld(options: ServerOptions = {}): Promise<World> {
  const server = await TestServer.start(options);
  const api = await server.login();
  const source = server.workspace.folder('source');
  const stores = server.workspace.folder('stores');
  writeFileSync(join(source, 'file.txt'), 'text');
  if (options.unprivileged && process.getuid?.() === 0) chownSync(stores, nobody, nobody);
  const closedPort = await freePort();
  await made(api, '/api/auth/users', { username: 'mira', password: userPassword });
  const repository = { name: 'one', path: join(stores, 'one'), encryption: 'none' };
  const { path } = await createRepository(api, { ...repository, source_directories: [source] });
  const { archive_name: archive } = await backUp(api, path);
  await furnish(api, closedPort);
  await addIncident(server);
  await addDrill(server);
  return { server, api, closedPort, stores, source, archive: archive ?? '' };
}

/** One of each other thing. The id of each is 1; no run of the schedule is near. */
async function furnish(api: Api, closedPort: number): Promise<void> {
  await made(api, '/api/scripts', { name: 'nothing', content: 'true' });
  await made(api, '/api/repositories/1/scripts', { script_id: 1, hook_type: 'pre-backup' });
  await made(api, '/api/schedule/', { name: 'yearly', cron_expression: '0 0 1 1 *', repository_id: 1 });
  const service_url = `json://127.0.0.1:${closedPort}/`;
  await made(api, '/api/notifications', { name: 'nobody listens', service_url });
  await made(api, '/api/ssh-keys/generate', { name: 'system', key_type: 'ed25519' });
  const host = { host: '127.0.0.1', port: closedPort, username: 'nobody', password: 'x' };
  await made(api, '/api/ssh-keys/1/deploy', host, 200);
  await made(api, '/api/auth/tokens', { name: 'spare' });
  await made(api, '/api/source-sets', { name: 'set', source_directories: ['/nowhere'] });
}

/** It stays open: how full the host is, is not known. */
export async function addIncident(server: TestServer, more: object = {}): Promise<void> {
  const incident = {
    thread: 'storage_nearly_full:connection:1',
    open_thread: 'storage_nearly_full:connection:1',
    is_open: true,
    cause: 'storage_nearly_full',
    code: 'incident_storage_nearly_full',
    params: '{}',
    object_kind: 'connection',
    object_id: 1,
    object_name: 'nobody@127.0.0.1',
    sentence: 'It is full.',
    opened_at: Date.now(),
    since: Date.now(),
    jobs_after: 0,
    ...more,
  };
  await addRow(server, 'incident', incident);
}

/** One that ended before it could tell. Its job is long gone. */
export const addDrill = (server: TestServer, more: object = {}): Promise<void> =>
  addRow(server, 'drill', {
    job_id: 1_000_000,
    repository_id: 1,
    repository_name: 'one',
    status: 'failed',
    verdict: 'none',
    requested_by: 'admin',
    started_at: Date.now(),
    ended_at: Date.now(),
    archive_files: 0,
    archive_bytes: 0,
    restored_files: 0,
    restored_bytes: 0,
    failed_files: 0,
    not_examined_files: 0,
    compared_with_source: 0,
    source_changed: 0,
    ...more,
  });

async function addRow(server: TestServer, table: string, row: Record<string, unknown>): Promise<void> {
  const database = await server.database();
  const names = Object.keys(row);
  const marks = names.map(() => '?').join();
  const values = Object.values(row) as (string | number)[];
  await database.all(`INSERT INTO ${table} (${names.join()}) VALUES (${marks})`, ...values);
  await database.close();
}

/** One ended job of each kind, with the ids after that of the backup. */
export async function runEveryJob({ api, archive, stores }: World): Promise<void> {
  const destination = join(stores, 'restored');
  await made(api, '/api/repositories/1/check', {}, 200);
  await made(api, '/api/repositories/1/compact', {}, 200);
  await made(api, '/api/repositories/1/prune', { dry_run: true, keep_daily: 1 }, 200);
  await made(api, '/api/restore/start', { repository_id: 1, archive, destination }, 200);
}

async function made(api: Api, path: string, input: object, status = 201): Promise<void> {
  const answer = await api.post(path, input);
  expect(`${path} ${answer.status} ${answer.text}`).toMatch(new RegExp(`^${path} ${status} `));
}
