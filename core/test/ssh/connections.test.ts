import { describe, expect, test } from 'vitest';
import { repositories } from '../../src/backup/repositories/tables.js';
import { hostKeyFingerprint } from '../../src/backup/ssh/ssh.rules.js';
import { openTransport } from '../../src/backup/ssh/transport.js';
import { appError } from '../accounts/service.js';
import { keyA, keyB, password } from './fake-host.js';
import { makeWorld } from './world.js';

async function connected() {
  const world = makeWorld();
  const { ssh_key } = await world.setUp();
  const row = async () => {
    const [first] = await world.connections();
    if (!first) throw new Error('there is no connection');
    return first;
  };
  return { ...world, keyId: ssh_key.id, row };
}

describe('deploy', () => {
  test('keeps one connection per address and stores the result in it', async () => {
    const world = await connected();
    const answer = await world.deploy(world.keyId, {
      password: 'wrong',
      default_path: '/b',
      mount_point: 'NAS',
    });
    expect(answer).toMatchObject({ success: false, connection: { status: 'failed', default_path: '/b' } });
    expect(answer.error).toMatch(/not accepted/);
    const again = await world.deploy(world.keyId);
    expect(again.connection).toMatchObject({
      id: 1,
      status: 'connected',
      mount_point: 'NAS',
      error_message: null,
    });
    const other = await world.deploy(world.keyId, { port: 2222 });
    expect(other.connection).toMatchObject({ id: 2, default_path: '/' });
    await expect(world.deploy(4711)).rejects.toMatchObject(appError('not_found'));
  });

  test('pins the host key even if the password is refused', async () => {
    const world = makeWorld();
    const { ssh_key } = await world.generate();
    await world.deploy(ssh_key.id, { password: 'wrong' });
    world.host.hostKey = keyB;
    const answer = await world.deploy(ssh_key.id);
    expect(answer).toMatchObject({ success: false, connection: { status: 'host_key_changed' } });
  });

  test('keeps the status after an internal error', async () => {
    const world = await connected();
    world.host.before = async () => {
      throw new TypeError('a fault');
    };
    await expect(world.deploy(world.keyId)).rejects.toThrow('a fault');
    expect(await world.row()).toMatchObject({ status: 'connected' });
  });
});

describe('a changed host key', () => {
  test('is refused by every use with both fingerprints, until it is accepted', async () => {
    const world = await connected();
    world.host.hostKey = keyB;
    const both = new RegExp(`${escaped(keyB)}.*${escaped(keyA)}`);
    expect(await world.ssh.testConnection(1)).toMatchObject({
      error: expect.stringMatching(both),
      message_code: 'host_key_changed',
    });
    expect((await world.ssh.refreshStorage(1)).message).toMatch(both);
    expect((await world.ssh.redeployKey(1, { password })).error).toMatch(both);
    await expect(world.ssh.browseConnection(1, {})).rejects.toMatchObject(appError('conflict', both));
    expect((await world.ssh.listConnections()).connections[0]).toMatchObject({
      status: 'host_key_changed',
      host_key_fingerprint: hostKeyFingerprint(keyA),
      offered_host_key_fingerprint: hostKeyFingerprint(keyB),
    });
    const wrong = world.ssh.acceptHostKey(1, hostKeyFingerprint(keyA));
    await expect(wrong).rejects.toMatchObject(appError('conflict'));
    const { connection } = await world.ssh.acceptHostKey(1, hostKeyFingerprint(keyB));
    expect(connection).toMatchObject({ status: 'connected', host_key_fingerprint: hostKeyFingerprint(keyB) });
    await expect(world.ssh.browseConnection(1, {})).resolves.toMatchObject({ success: true });
  });

  test('can be accepted only when one was shown', async () => {
    const world = await connected();
    const early = world.ssh.acceptHostKey(1, hostKeyFingerprint(keyB));
    await expect(early).rejects.toMatchObject(appError('conflict', /only presented the pinned key/));
    world.host.hostKey = keyB;
    await world.ssh.testConnection(1);
    world.host.hostKey = keyA;
    expect((await world.ssh.testConnection(1)).connection.offered_host_key_fingerprint).toBeNull();
  });

  test('keeps its state when it gets a name and tags', async () => {
    const world = await connected();
    const { connection } = await world.update(1, { name: 'Cellar', tags: ['nas'] });
    expect(connection).toMatchObject({ name: 'Cellar', tags: ['nas'], status: 'connected' });
  });

  test('keeps the pinned host key when the address changes', async () => {
    const world = await connected();
    await world.update(1, { host: 'other.example.org', port: 2200 });
    expect(await world.row()).toMatchObject({ status: 'unknown', host_key: keyA, port: 2200 });
    world.host.hostKey = keyB;
    expect((await world.ssh.testConnection(1)).status).toBe('host_key_changed');
  });
});

describe('status', () => {
  test('follows real use and ignores failures after the host was reached', async () => {
    const world = await connected();
    world.host.failing = 'unreachable';
    await expect(world.ssh.browseConnection(1, {})).rejects.toMatchObject(appError('unavailable'));
    expect(await world.row()).toMatchObject({
      status: 'failed',
      error_message: 'it is unreachable',
      error_code: 'host_unreachable',
      error_params: { problem: 'it is unreachable' },
    });
    world.host.failing = 'missing';
    await expect(world.ssh.browseConnection(1, {})).rejects.toMatchObject(appError('not_found'));
    expect(await world.row()).toMatchObject({ status: 'connected', error_message: null });
    world.host.failing = 'cancelled';
    await world.ssh.browseConnection(1, {}).catch(() => undefined);
    expect(await world.row()).toMatchObject({ status: 'connected' });
  });

  test('keeps the storage usage when the host stops reporting it', async () => {
    const world = await connected();
    const read = await world.ssh.refreshStorage(1);
    expect(read).toMatchObject({ success: true, storage: { total: 1000, percent_used: 25 } });
    world.host.usage = null;
    expect(await world.ssh.refreshStorage(1)).toMatchObject({ success: false, storage: null });
    expect((await world.ssh.listConnections()).connections[0]?.storage).toEqual(read.storage);
  });
});

describe('changes', () => {
  test('keeps the settings of a connection when a user deploys to its address', async () => {
    const world = await connected();
    const usage = { default_path: '/x', mount_point: 'X', use_sftp_mode: false };
    await world.deploy(world.keyId, usage, false);
    expect(await world.row()).toMatchObject({ default_path: '/', mount_point: null, use_sftp_mode: true });
    await world.deploy(world.keyId, { ...usage, port: 2222 }, false);
    expect((await world.connections())[1]).toMatchObject({ port: 2222, ...usage });
    await world.deploy(world.keyId, usage);
    expect(await world.row()).toMatchObject(usage);
  });

  test('refuses an address that is in use', async () => {
    const world = await connected();
    await world.deploy(world.keyId, { port: 2222 });
    await expect(world.update(2, { port: 22 })).rejects.toMatchObject(appError('conflict', /host, port/));
  });

  test('repositories stay without their connection; sources keep its id', async () => {
    const world = await connected();
    const there = await world.addRepository('there', { connection_id: 1 });
    const from = await world.addRepository('from', { source_connection_id: 1 });
    await openTransport(world.dependencies, await world.row());
    const inUse = appError('conflict', /there, from.*backup@nas/);
    for (const confirm of [undefined, 'nas.example.org'])
      await expect(world.ssh.deleteConnection(1, confirm)).rejects.toMatchObject(inUse);
    await world.ssh.deleteConnection(1, 'backup@nas.example.org');
    const rows = await world.storage.find(repositories);
    expect(rows.find(({ id }) => id === there.id)).toMatchObject({ connection_id: null });
    expect(rows.find(({ id }) => id === from.id)).toMatchObject({ source_connection_id: 1 });
    expect(world.disk.hostKeys.size).toBe(0);
  });
});

describe('the transport of the tool', () => {
  test('has the key and the pinned host key on disk', async () => {
    const world = await connected();
    const transport = await openTransport(world.dependencies, await world.row());
    expect(transport).toEqual({
      connectionId: 1,
      keyFile: '/ssh/key',
      knownHostsFile: '/known/1',
      hostKeyAlias: 'holdfast-1',
      fingerprint: hostKeyFingerprint(keyA),
      speed: { rate: expect.any(Function), spend: expect.any(Function) },
    });
    expect(world.disk.hostKeys.get(1)).toBe(keyA);
  });

  test('pins a connection that was never used, first', async () => {
    const world = makeWorld();
    const { ssh_key } = await world.generate();
    world.host.failing = 'unreachable';
    await world.connect(ssh_key.id);
    const [row] = await world.connections();
    if (!row) throw new Error('there is no connection');
    expect(row).toMatchObject({ host_key: null, status: 'failed' });
    const refused = openTransport(world.dependencies, row);
    await expect(refused).rejects.toMatchObject({ name: 'RemoteHostError', kind: 'unreachable' });
    world.host.failing = null;
    world.host.authorized.add('type private-generated-1');
    expect((await openTransport(world.dependencies, row)).fingerprint).toBe(hostKeyFingerprint(keyA));
  });
});

describe('browsing', () => {
  test('shows folders first, and names that are not UTF-8', async () => {
    const world = await connected();
    const entry = { size: null, modified: 0, mode: 0o755 };
    world.host.entries = [
      { ...entry, name: 'b.txt', type: 'file', size: 3, mode: 0o600 },
      { ...entry, name: 'z', type: 'directory' },
      { ...entry, name: 'A\udcff', type: 'directory', modified: null, mode: null },
    ];
    const { items, parent_path } = await world.ssh.browseConnection(1, { path: '/data/x' });
    expect(parent_path).toBe('/data');
    expect(items).toMatchObject([
      { name: 'A\\udcff', name_escaped: true, path: '/data/x/A\\udcff', modified: null, permissions: null },
      { name: 'z', is_directory: true, permissions: '755' },
      {
        name: 'b.txt',
        is_directory: false,
        size: 3,
        permissions: '600',
        modified: '1970-01-01T00:00:00.000Z',
      },
    ]);
    expect((await world.ssh.browseConnection(1, {})).parent_path).toBeNull();
  });
});

const escaped = (key: string) => hostKeyFingerprint(key).replace(/[+/]/g, '\\$&');

describe('connection events', () => {
  test('report each change of a connection but not each use', async () => {
    const world = await connected();
    expect(await world.told()).toEqual(['created connected']);
    await world.ssh.testConnection(1);
    await world.ssh.browseConnection(1, {});
    expect(await world.told()).toEqual(['created connected', 'updated testing', 'updated connected']);
    world.host.hostKey = keyB;
    await world.ssh.testConnection(1);
    expect((await world.told()).slice(3)).toEqual(['updated testing', 'updated host_key_changed']);
    await world.ssh.acceptHostKey(1, hostKeyFingerprint(keyB));
    await world.update(1, { mount_point: 'NAS' });
    await world.update(1, { mount_point: 'NAS' });
    await world.ssh.deleteKey(world.keyId);
    await world.ssh.deleteConnection(1);
    expect((await world.told()).slice(5)).toEqual([
      'updated unknown',
      'updated connected',
      'updated connected',
      'updated failed',
      'deleted failed',
    ]);
  });
});
