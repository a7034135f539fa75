import { describe, expect, test } from 'vitest';
import { prepareSsh } from '../../src/backup/ssh/transport.js';
import { appError } from '../accounts/service.js';
import { keyA, keyB, password } from './fake-host.js';
import { makeWorld } from './world.js';

describe('the system key', () => {
  test('is sealed in storage, written to disk, and never shown', async () => {
    const world = makeWorld();
    const answer = await world.generate({ key_type: 'ed25519', description: ' ' });
    expect(answer.ssh_key).toMatchObject({ name: 'system', is_system_key: true, connection_count: 0 });
    expect(JSON.stringify(answer)).not.toContain('private-');
    const [row] = await world.storedKeys();
    expect(row?.private_key).toMatch(new RegExp(`^sealed:ssh-key:${row?.uid}:`));
    expect(JSON.stringify(row)).not.toContain('private-');
    expect(world.disk.pair).toMatchObject({ type: 'ed25519', privateKey: 'type private-generated-1' });
  });

  test('refuses a second key, even when two are created at once', async () => {
    const world = makeWorld();
    const both = await Promise.allSettled([world.generate(), world.generate()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(world.generate()).rejects.toMatchObject(appError('conflict', /already exists/));
    await expect(world.setUp()).rejects.toMatchObject(appError('conflict', /already exists/));
    expect(world.host.seen).toEqual([]);
  });

  test('imports a file and reveals nothing of an invalid one', async () => {
    const world = makeWorld();
    world.keyFiles.set('/keys/no-key', 'root:x:0:0');
    for (const private_key_path of ['/keys/no-key', '/keys/missing']) {
      await expect(world.import({ private_key_path })).rejects.toMatchObject(
        appError('invalid', /^This is not a readable private key/),
      );
    }
    world.keyFiles.set('/keys/mine', 'private mine');
    world.keyFiles.set('/keys/mine.pub', 'public other');
    await expect(world.import({ private_key_path: '/keys/mine' })).rejects.toMatchObject(
      appError('invalid', /does not belong/),
    );
    expect(await world.storedKeys()).toEqual([]);
    world.keyFiles.set('/keys/mine.pub', 'public mine');
    const { ssh_key } = await world.import({ private_key_path: '/keys/mine' });
    expect(ssh_key).toMatchObject({
      public_key: 'type public-mine',
      description: 'Imported from /keys/mine',
    });
  });

  test('keeps its connections and removes its files when deleted', async () => {
    const world = makeWorld();
    const { ssh_key } = await world.setUp();
    const answer = await world.ssh.deleteKey(ssh_key.id);
    expect(answer.message).toMatch(/1 connection stays/);
    expect(await world.connections()).toMatchObject([
      { ssh_key_id: null, status: 'failed', error_message: expect.stringMatching(/deleted/) },
    ]);
    expect(world.disk.pair).toBeNull();
    await expect(world.ssh.testConnection(1)).rejects.toMatchObject(appError('not_found', /key/));
    const next = await world.generate();
    expect(await world.ssh.redeployKey(1, { password })).toMatchObject({
      success: true,
      connection: { ssh_key_id: next.ssh_key.id, ssh_key_name: 'system', status: 'connected' },
    });
  });

  test('stays while a job needs a connection, for repository or source', async () => {
    for (const column of ['connection_id', 'source_connection_id']) {
      const world = makeWorld();
      const { ssh_key, connection } = await world.setUp();
      const local = await world.addRepository('local', {});
      await world.addJob(local.id);
      const remote = await world.addRepository('remote', { [column]: connection?.id ?? 0 });
      const job = await world.addJob(remote.id);
      const needed = appError('conflict', new RegExp(`job ${job.id} .*pending`));
      await expect(world.ssh.deleteKey(ssh_key.id)).rejects.toMatchObject(needed);
      await expect(world.ssh.deleteConnection(1)).rejects.toMatchObject(needed);
      expect(world.disk.pair).not.toBeNull();
    }
  });

  test('opens nothing while it is switched off', async () => {
    const world = makeWorld();
    const { ssh_key } = await world.setUp();
    await world.ssh.updateKey(ssh_key.id, { is_active: false });
    await expect(world.ssh.testConnection(1)).rejects.toMatchObject(appError('conflict', /turned off/));
    expect((await world.connections())[0]).toMatchObject({ status: 'connected' });
    await world.ssh.updateKey(ssh_key.id, { is_active: true, name: 'renamed' });
    expect((await world.ssh.testConnection(1)).connection.ssh_key_name).toBe('renamed');
  });

  test('is written to disk at the start, and interrupted tests are reset', async () => {
    const world = makeWorld();
    await world.setUp();
    world.disk.pair = null;
    const started = new Promise<void>((resolve) => {
      world.host.before = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    void world.ssh.testConnection(1);
    await started;
    expect((await world.connections())[0]).toMatchObject({ status: 'testing' });
    await prepareSsh(world.dependencies);
    expect(world.disk.pair).toMatchObject({ type: 'rsa' });
    expect((await world.connections())[0]).toMatchObject({ status: 'unknown' });
  });
});

describe('quick-setup', () => {
  test('makes key and connection, pins the host key, and forgets the password', async () => {
    const world = makeWorld();
    const { connection } = await world.setUp({ default_path: '/backups/', ssh_path_prefix: 'volume1' });
    expect(connection).toMatchObject({
      status: 'connected',
      default_path: '/backups',
      ssh_path_prefix: '/volume1',
      last_success: expect.stringMatching(/Z$/),
    });
    expect((await world.connections())[0]).toMatchObject({ host_key: keyA });
    expect(JSON.stringify([await world.connections(), await world.storedKeys()])).not.toContain(password);
    expect(world.redactor.redact(password)).toBe(password);
  });

  test('hides the password from the log while it runs', async () => {
    const world = makeWorld();
    let hidden = '';
    world.host.before = async () => {
      hidden = world.redactor.redact(password);
    };
    await world.setUp();
    expect(hidden).toBe('***');
  });

  test.each([
    ['authentication', 'invalid'],
    ['host_key_changed', 'invalid'],
    ['unreachable', 'unavailable'],
    ['timeout', 'unavailable'],
    ['protocol', 'unavailable'],
    ['refused', 'unavailable'],
    ['disk_full', 'unavailable'],
  ] as const)('leaves nothing after a failure (%s)', async (kind, code) => {
    const world = makeWorld();
    world.host.failing = kind;
    await expect(world.setUp()).rejects.toMatchObject(appError(code));
    expect([await world.storedKeys(), await world.connections(), world.disk.pair]).toEqual([[], [], null]);
    world.host.failing = null;
    expect((await world.setUp()).connection?.status).toBe('connected');
  });

  test('leaves nothing when the host took the key but does not accept it', async () => {
    const world = makeWorld();
    world.host.takesKeys = false;
    await expect(world.setUp()).rejects.toMatchObject(appError('unavailable', /does not accept it/));
    expect([await world.storedKeys(), await world.connections()]).toEqual([[], []]);
    expect([...world.host.authorized]).toEqual([]);
  });

  test('leaves nothing when another instance stored a key first', async () => {
    const world = makeWorld();
    world.host.before = async () => {
      world.host.before = async () => {};
      await world.addKey('other');
    };
    await expect(world.setUp()).rejects.toMatchObject(appError('conflict', /already exists/));
    expect(await world.storedKeys()).toMatchObject([{ name: 'other' }]);
    expect([[...world.host.authorized], await world.connections()]).toEqual([[], []]);
  });

  test('keeps a deployed key on a host that does not accept it yet', async () => {
    const world = makeWorld();
    const { ssh_key } = await world.generate();
    world.host.takesKeys = false;
    expect(await world.deploy(ssh_key.id)).toMatchObject({ success: false });
    expect([...world.host.authorized]).toEqual(['type private-generated-1']);
  });

  test('keeps the pinned host key of an existing connection', async () => {
    const world = makeWorld();
    const { ssh_key } = await world.setUp();
    await world.ssh.deleteKey(ssh_key.id);
    world.host.hostKey = keyB;
    await expect(world.setUp()).rejects.toMatchObject(appError('invalid'));
    expect(await world.connections()).toMatchObject([{ host_key: keyA }]);
    world.host.hostKey = keyA;
    await world.setUp();
    expect(await world.connections()).toMatchObject([{ id: 1, status: 'connected' }]);
  });

  test('names the missing fields', async () => {
    const world = makeWorld();
    const missing = world.setUp({ host: undefined, password: undefined });
    await expect(missing).rejects.toMatchObject(appError('invalid', /host, password/));
    expect((await world.setUp({ host: undefined, skip_deployment: true })).connection).toBeUndefined();
  });
});
