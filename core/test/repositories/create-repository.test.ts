import { StoreError } from '@holdfast/plugin-api';
import { DriverError } from '@holdfast/plugin-api/driver';
import { describe, expect, it } from 'vitest';
import { repositories } from '../../src/backup/repositories/tables.js';
import { archive } from './fake-driver.js';
import { makeWorld } from './world.js';

const refusal = (code: string, detail: RegExp) => ({ code, detail: expect.stringMatching(detail) });

describe('creating a repository', () => {
  it('makes it, registers it and seals its passphrase for its uid', async () => {
    const world = makeWorld();
    const { repository, warnings } = await world.create();
    expect(repository).toMatchObject({
      name: 'home',
      path: '/backups/home',
      encryption: 'repokey',
      compression: 'lz4',
      mode: 'full',
      archive_count: 0,
      total_size: null,
      has_keyfile: false,
      repository_type: 'local',
      port: null,
    });
    expect(warnings).toBeUndefined();
    const row = await world.row(repository.id);
    expect(row?.passphrase).toMatch(new RegExp(`^sealed:passphrase:${row?.uid}:`));
    expect(await world.eventKinds()).toEqual(['repository_created']);
    expect(world.redactor.redact('correct horse')).toBe('correct horse');
  });

  it('takes a relative path below the data directory, option-like names too', async () => {
    const world = makeWorld();
    const { repository } = await world.create({ path: ' -x/--rsh=evil/./r ' });
    expect(repository.path).toBe('/data/-x/--rsh=evil/r');
  });

  it('stores the key file of a keyfile encryption', async () => {
    const world = makeWorld();
    const { repository } = await world.create({ encryption: 'keyfile-blake2' });
    expect(repository.has_keyfile).toBe(true);
    expect((await world.row(repository.id))?.key_file).toMatch(/^sealed:keyfile:/);
  });

  it('needs no passphrase without encryption, and says that one was not used', async () => {
    const world = makeWorld();
    const { repository, warnings } = await world.create({ encryption: 'none', passphrase: 'unused' });
    expect((await world.row(repository.id))?.passphrase).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('passphrase was not stored')]);
  });

  it('names unknown fields', async () => {
    const { warnings } = await makeWorld().create({ colour: 'red' });
    expect(warnings).toEqual([expect.stringContaining('colour')]);
  });

  it('needs no sources in observe mode, where the lock may be bypassed', async () => {
    const { repository } = await makeWorld().create({
      mode: 'observe',
      bypass_lock: true,
      source_directories: [],
    });
    expect(repository).toMatchObject({ mode: 'observe', bypass_lock: true, source_directories: [] });
  });

  it.each([
    [{ source_directories: [] }, /at least one directory/],
    [{ source_directories: ['home'] }, /not absolute/],
    [{ source_directories: ['/home/../etc'] }, /"\.\."/],
    [{ passphrase: null }, /passphrase is required/],
    [{ passphrase: '  ' }, /passphrase is required/],
    [{ path: 'ssh://host/r' }, /connection_id/],
    [{ path: '/backups/../etc' }, /"\.\."/],
    [{ path: '/backups//r' }, /empty segment/],
    [{ path: '/backups/a\0b' }, /NUL/],
    [{ path: '/backups/r\n' }, /line breaks/],
    [{ path: '/backups/a::b' }, /::/],
    [{ path: `/backups/${'n'.repeat(256)}` }, /too long/],
    [{ compression: 'gzip' }, /compression/],
    [{ compression: 'zstd,23' }, /1 to 22/],
    [{ bypass_lock: true }, /observe/],
    [{ custom_flags: '--exclude "a' }, /unclosed/],
    [{ custom_flags: '--json x' }, /--json is not allowed/],
    [{ path: '/home/operator/backups' }, /inside the source \/home/],
    [{ source_directories: ['/backups/home/inside'] }, /inside the repository/],
  ])('refuses %j', async (input, detail) => {
    const world = makeWorld();
    await expect(world.create(input)).rejects.toMatchObject(refusal('invalid', detail));
    expect(world.driver.calls).toEqual([]);
    expect(await world.rows()).toEqual([]);
  });

  it.each([{ connection_id: 7 }, { source_connection_id: 7 }])('knows no connection: %j', async (input) => {
    await expect(makeWorld().create(input)).rejects.toMatchObject(refusal('not_found', /connection 7/));
  });

  it('refuses a taken name and a taken path, also by way of a symlink', async () => {
    const world = makeWorld();
    await world.create();
    world.files.links.set('/elsewhere', '/backups');
    const taken = { name: 'other' };
    await expect(world.create({ path: '/backups/b' })).rejects.toMatchObject(refusal('conflict', /name/));
    await expect(world.create(taken)).rejects.toMatchObject(refusal('conflict', /path/));
    await expect(world.create({ ...taken, path: '/elsewhere/home/' })).rejects.toMatchObject(
      refusal('conflict', /path/),
    );
    await expect(world.create({ ...taken, path: '/backups/home/data' })).rejects.toMatchObject(
      refusal('invalid', /inside repository home/),
    );
  });

  it('finds a source that is the repository by way of a symlink', async () => {
    const world = makeWorld();
    world.files.links.set('/pictures', '/backups');
    await expect(world.create({ source_directories: ['/pictures'] })).rejects.toMatchObject(
      refusal('invalid', /inside the source/),
    );
  });

  it('refuses a path that is a file, below a file or not writable', async () => {
    const world = makeWorld();
    world.files.add('/backups/home', 'file');
    await expect(world.create()).rejects.toMatchObject(refusal('invalid', /not a directory/));
    await expect(world.create({ path: '/backups/home/below' })).rejects.toMatchObject(
      refusal('invalid', /\/backups\/home is not a directory/),
    );
    world.files.readOnly.add('/backups');
    await expect(world.create({ path: '/backups/new/deep' })).rejects.toMatchObject(
      refusal('invalid', /may not write to \/backups/),
    );
  });

  it('points to import where a repository is, and refuses a folder with other files', async () => {
    const world = makeWorld();
    world.driver.repositories.set('/backups/home', {
      id: 'old',
      encryption: 'none',
      passphrase: null,
      archives: [],
    });
    await expect(world.create()).rejects.toMatchObject(refusal('conflict', /import/));
    world.files.add('/backups/photos/one.jpg', 'file');
    await expect(world.create({ path: '/backups/photos' })).rejects.toMatchObject(
      refusal('invalid', /other files/),
    );
  });
});

describe('a creation that fails half-way', () => {
  it('takes the folders back that it made when the tool fails', async () => {
    const world = makeWorld();
    world.driver.failures.set('init', new DriverError('no_space', 'The disk is full.'));
    await expect(world.create({ path: '/backups/a/b/c' })).rejects.toMatchObject(refusal('internal', /full/));
    expect(world.files.below('/backups')).toEqual([]);
    expect(world.driver.forgotten).toHaveLength(1);
  });

  const broken = () => {
    const world = makeWorld();
    world.storage.transaction = () => Promise.reject(new StoreError('unavailable', 'gone'));
    return world;
  };

  it('removes the new repository if it cannot be registered', async () => {
    const world = broken();
    await expect(world.create({ path: '/backups/a/b' })).rejects.toMatchObject({ kind: 'unavailable' });
    expect(world.files.below('/backups')).toEqual([]);
  });

  it('keeps an empty folder that existed before', async () => {
    const world = broken();
    world.files.add('/backups/home', 'directory');
    await expect(world.create()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(world.files.below('/backups')).toEqual(['/backups/home']);
  });

  it('never removes a repository that has an archive or was replaced', async () => {
    for (const change of [{ archives: [archive('a')] }, { id: 'of someone else' }]) {
      const world = makeWorld();
      world.storage.transaction = () => {
        Object.assign(world.driver.repositories.get('/backups/home') ?? {}, change);
        return Promise.reject(new StoreError('unavailable', 'gone'));
      };
      await expect(world.create()).rejects.toMatchObject({ kind: 'unavailable' });
      expect(world.files.has('/backups/home/config')).toBe(true);
    }
  });

  it('removes only its own repository if two share a name', async () => {
    const world = makeWorld();
    const both = await Promise.allSettled([
      world.create({ path: '/backups/a' }),
      world.create({ path: '/backups/b' }),
    ]);
    expect(both.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected']);
    const [row] = await world.rows();
    expect(world.files.below('/backups')).toEqual([row?.path, `${row?.path}/config`]);
    expect(await world.storage.find(repositories)).toHaveLength(1);
  });
});
