import { join } from 'node:path';
import { expect } from 'vitest';
import { backUp, createRepository } from './actions.js';
import { addAttributes } from './restore.js';
import { TestServer } from './server.js';
import { makeRemarkable } from './trees.js';
import { makeWorkspace } from './workspace.js';

/** A service with an archive of every kind of entry. */
export async function startWithArchive() {
  const workspace = makeWorkspace();
  const sshDirectory = workspace.folder('ssh');
  const server = await TestServer.start({ workspace, env: { SSH_DIR: sshDirectory } });
  const api = await server.login();
  await api.post('/api/auth/users', { username: 'mallory', password: 'a password of a user' });
  const user = await server.login('mallory', 'a password of a user');
  const database = await server.database();
  const source = server.workspace.folder('source');
  makeRemarkable(source);
  addAttributes(source);
  const repository = await createRepository(api, {
    name: 'home',
    path: join(server.workspace.path, 'home'),
    source_directories: [source],
  });
  const job = await backUp(api, repository.path);
  expect(job.status).toBe('completed');
  const archive = job.archive_name ?? '';
  let count = 0;
  const freshFolder = () => server.workspace.folder(`target-${++count}`);
  const body = (fields: object) => ({ repository: repository.path, archive, ...fields });
  return { server, api, user, database, source, sshDirectory, repository, archive, freshFolder, body };
}

export type WithArchive = Awaited<ReturnType<typeof startWithArchive>>;
