import { DriverError } from '@holdfast/plugin-api/driver';
import { beforeEach, describe, expect, test } from 'vitest';
import { followConnection } from '../../src/backup/repositories/follow-connection.js';
import { type SshConnectionRow, sshConnections, sshKeys } from '../../src/backup/ssh/tables.js';
import { RemoteHostError } from '../../src/foundation/kernel/errors.js';
import { makeWorld } from './world.js';

const noCommands = new RemoteHostError('refused', 'runs no commands', { step: 'run a command' });
const base = {
  username: 'me',
  status: 'unknown',
  created_at: 0,
  updated_at: 0,
  host_key: 'ssh-ed25519 QUFB',
};
let world: ReturnType<typeof makeWorld>;
let destroyed: string[];

beforeEach(async () => {
  world = makeWorld();
  destroyed = [];
  Object.assign(world.dependencies, { remoteHost: { run: () => Promise.reject(noCommands) } });
  Object.assign(world.driver, {
    pullArchive: async () => undefined,
    checkPull: ({ excludePatterns }: { excludePatterns: string[] }) =>
      excludePatterns.filter((pattern) => pattern.startsWith('re:')).map((pattern) => `Not ${pattern}.`),
    destroy: async ({ location }: { location: string }) => destroyed.push(location),
  });
  await world.storage.insert(sshKeys, {
    uid: 'k',
    name: 'k',
    key_type: 'ed25519',
    public_key: 'p',
    fingerprint: 'f',
    private_key: 'sealed:ssh-key:k:',
    created_at: 0,
    updated_at: 0,
  });
  for (const [host, prefix] of [
    ['box', null],
    ['nas', '/volume1'],
  ] as const)
    await world.storage.insert(sshConnections, { ...base, host, port: 22, ssh_path_prefix: prefix } as never);
});

const there = { connection_id: 1, path: '/backups/r' };
const message = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code, detail }) => `${code}: ${detail}`,
  );

describe('a repository on a connection', () => {
  test('shows its location', async () => {
    const { repository } = await world.create(there);
    expect(repository).toMatchObject({
      path: 'ssh://me@box:22/backups/r',
      repository_type: 'ssh',
      host: 'box',
      port: 22,
      username: 'me',
      connection_id: 1,
    });
    expect(world.files.below('/backups')).toEqual([]);
  });

  test('has a path below the prefix of its connection', async () => {
    const { repository } = await world.create({ ...there, connection_id: 2 });
    expect(repository.path).toBe('ssh://me@nas:22/volume1/backups/r');
  });

  test('refuses a used path and a path inside another repository', async () => {
    await world.create(there);
    expect(await message(world.create({ ...there, name: 'b' }))).toMatch(/^conflict: .*path/);
    expect(await message(world.create({ ...there, name: 'b', path: '/backups/r/in' }))).toMatch(/^invalid: /);
    await world.create({ ...there, name: 'c', connection_id: 2 });
    await world.create({ name: 'd', path: '/backups/local' });
  });

  test('refuses an unknown connection and a location without one', async () => {
    expect(await message(world.create({ ...there, connection_id: 9 }))).toMatch(/^not_found: connection_id/);
    const bare = { path: 'ssh://me@box:22/backups/r' };
    expect(await message(world.create(bare))).toMatch(/^invalid: .*connection_id/);
  });

  test('is removed if it cannot be registered', async () => {
    const working = world.storage.transaction.bind(world.storage);
    const isMade = () => world.driver.repositories.has('ssh://me@box:22/backups/r');
    world.storage.transaction = (work) => (isMade() ? Promise.reject(new Error('disk')) : working(work));
    await expect(world.create(there)).rejects.toThrow('disk');
    world.storage.transaction = working;
    expect(destroyed).toEqual(['ssh://me@box:22/backups/r']);
  });

  test.each([
    ['connection', 'unavailable'],
    ['host_key_changed', 'conflict'],
    ['permission', 'invalid'],
  ] as const)('reports a tool error %s as %s', async (kind, code) => {
    world.driver.failures.set('init', new DriverError(kind, 'Told by the tool.'));
    expect(await message(world.create(there))).toMatch(new RegExp(`^${code}: .*Told by the tool`));
  });

  test('moves with its connection', async () => {
    const { repository } = await world.create(there);
    const [before] = await world.storage.find(sshConnections, { where: { id: 1 } });
    const after = { ...(before as SshConnectionRow), host: '::1', port: 2222 };
    await followConnection(world.storage, after);
    expect((await world.row(repository.id))?.path).toBe('ssh://me@[::1]:2222/backups/r');
  });

  test('becomes local or remote only with the same repository at the new path', async () => {
    const { repository } = await world.create(there);
    expect(await message(world.update(repository.id, { connection_id: null }))).toMatch(/^invalid: /);
    world.files.add('/backups/r', 'directory');
    const same = world.driver.repositories.get('ssh://me@box:22/backups/r');
    world.driver.repositories.set('/backups/r', same as never);
    const local = await world.update(repository.id, { connection_id: null });
    expect(local.repository).toMatchObject({ path: '/backups/r', repository_type: 'local', host: null });
    const remote = await world.update(repository.id, { connection_id: 1 });
    expect(remote.repository).toMatchObject({ path: 'ssh://me@box:22/backups/r', connection_id: 1 });
  });

  test('has no source connection unless it names one', async () => {
    const { repository } = await world.create(there);
    expect(repository).toMatchObject({ connection_id: 1, source_ssh_connection_id: null });
  });

  test('hides a removed source connection and allows other changes', async () => {
    const { repository } = await world.create({ ...there, source_connection_id: 2 });
    expect(repository.source_ssh_connection_id).toBe(2);
    await world.storage.remove(sshConnections, { id: 2 });
    const { repository: after } = await world.update(repository.id, { name: 'other' });
    expect(after).toMatchObject({ name: 'other', source_ssh_connection_id: null });
    expect((await world.row(repository.id))?.source_connection_id).toBe(2);
    await world.update(repository.id, { source_connection_id: null });
    expect((await world.row(repository.id))?.source_connection_id).toBeNull();
  });
});

describe('sources on a connection', () => {
  test('may contain the path of a local repository, but not of their own host', async () => {
    await world.create({ path: '/home/r', source_connection_id: 1 });
    const own = { ...there, name: 'b', source_connection_id: 1 };
    expect(await message(world.create({ ...own, source_directories: ['/backups'] }))).toMatch(/^invalid: /);
    await world.create({ ...own, source_directories: ['/etc'] });
  });

  test('refuse patterns that the host cannot evaluate unless it is trusted', async () => {
    const input = { source_connection_id: 1, exclude_patterns: ['re:x'] };
    expect(await message(world.create(input))).toMatch(/^invalid: .*Not re:x/);
    await world.storage.update(sshConnections, { id: 1 }, { trusted: true });
    await world.create(input);
  });
});
