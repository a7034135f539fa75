import { describe, expect, it } from 'vitest';
import { archives } from '../../src/backup/repositories/tables.js';
import { jobs, lanes } from '../../src/engine/jobs/tables.js';
import { makeWorld } from './world.js';

const caller = { userId: 1, username: 'ada', isAdmin: true, readOnly: false, tokenId: 1 };
const refusal = (code: string, detail: RegExp) => ({ code, detail: expect.stringMatching(detail) });

async function withHome(extra: object = {}) {
  const world = makeWorld();
  const { repository } = await world.create({ custom_flags: '--one-file-system', ...extra });
  return { world, id: repository.id };
}

function move(world: ReturnType<typeof makeWorld>, to: string, change: object = {}) {
  const there = world.driver.repositories.get('/backups/home');
  if (there) world.driver.repositories.set(to, { ...there, ...change });
  world.files.add(`${to}/config`, 'file');
}

describe('updating a repository', () => {
  it('changes only given fields and clears them with null', async () => {
    const { world, id } = await withHome({ pre_backup_script: 'sync' });
    const { repository, warnings } = await world.update(id, { name: 'house', custom_flags: null });
    expect(repository).toMatchObject({ name: 'house', custom_flags: null, pre_backup_script: 'sync' });
    expect(warnings).toBeUndefined();
    expect(await world.eventKinds()).toEqual(['repository_created', 'repository_updated']);
  });

  it('names the fields that cannot be changed', async () => {
    const { world, id } = await withHome();
    const { repository, warnings } = await world.update(id, {
      encryption: 'none',
      passphrase: 'other',
      x: 1,
    });
    expect(repository.encryption).toBe('repokey');
    expect(warnings).toHaveLength(3);
    expect(warnings?.join(' ')).toMatch(/encryption was ignored.*passphrase was ignored.*x is unknown/);
  });

  it.each([
    [{ source_directories: [] }, 'invalid', /at least one directory/],
    [{ source_directories: ['/backups'] }, 'invalid', /inside the source/],
    [{ bypass_lock: true }, 'invalid', /observe/],
    [{ compression: 'gzip' }, 'invalid', /compression/],
    [{ connection_id: 3 }, 'not_found', /connection 3/],
    [{ path: '/backups/nowhere' }, 'invalid', /does not exist/],
    [{ path: 'ssh://host/x' }, 'invalid', /connection_id/],
  ])('refuses %j', async (changes, code, detail) => {
    const { world, id } = await withHome();
    const before = await world.row(id);
    await expect(world.update(id, changes)).rejects.toMatchObject(refusal(code, detail));
    expect(await world.row(id)).toEqual(before);
  });

  it('refuses full mode without sources', async () => {
    const { world, id } = await withHome({ mode: 'observe', source_directories: [] });
    await expect(world.update(id, { mode: 'full' })).rejects.toMatchObject(
      refusal('invalid', /at least one/),
    );
    await world.update(id, { mode: 'full', source_directories: ['/home'] });
  });

  it('keeps its tags until others are given', async () => {
    const { world, id } = await withHome({ tags: ['web', ' db '] });
    expect((await world.update(id, { name: 'house' })).repository.tags).toEqual(['web', 'db']);
    expect((await world.update(id, { tags: [] })).repository.tags).toEqual([]);
  });

  it('refuses used names and paths, and accepts its own', async () => {
    const { world, id } = await withHome();
    await world.create({ name: 'other', path: '/backups/other' });
    await expect(world.update(id, { name: 'other' })).rejects.toMatchObject(refusal('conflict', /name/));
    await expect(world.update(id, { path: '/backups/other' })).rejects.toMatchObject(
      refusal('conflict', /path/),
    );
    await world.update(id, { name: 'home', path: '/backups/home' });
  });

  it('moves to a new path only if it has the same repository', async () => {
    const { world, id } = await withHome();
    move(world, '/backups/moved');
    move(world, '/backups/foreign', { id: 'foreign' });
    await expect(world.update(id, { path: '/backups/foreign' })).rejects.toMatchObject(
      refusal('invalid', /different repository/),
    );
    const { repository } = await world.update(id, { path: '/backups/moved/' });
    expect(repository.path).toBe('/backups/moved');
    expect(world.driver.calls.filter((call) => call === 'init')).toHaveLength(1);
    expect((await world.row(id))?.inventory_at).toBeNull();
  });

  it('keeps its path while a job waits or runs', async () => {
    const { world, id } = await withHome();
    move(world, '/backups/moved');
    await world.addJob(id, 'pending');
    await expect(world.update(id, { path: '/backups/moved' })).rejects.toMatchObject(
      refusal('conflict', /backup job/),
    );
    await world.update(id, { name: 'still allowed' });
  });

  it('loses nothing when two change it at once', async () => {
    const { world, id } = await withHome();
    await Promise.all([world.update(id, { compression: 'zstd,3' }), world.update(id, { hook_timeout: 60 })]);
    expect(await world.row(id)).toMatchObject({ compression: 'zstd,3', hook_timeout: 60 });
  });
});

describe('deleting a repository', () => {
  it('removes the registration and keeps the data and the past', async () => {
    const { world, id } = await withHome();
    const job = await world.addJob(id, 'completed');
    await world.storage.insert(lanes, { repository_id: id, holders: [] });
    await world.deleteRepository(id);
    expect(await world.rows()).toEqual([]);
    expect(await world.storage.find(lanes)).toEqual([]);
    expect(await world.storage.find(archives)).toEqual([]);
    expect(await world.storage.find(jobs)).toMatchObject([{ id: job.id, repository_id: null }]);
    expect(world.files.has('/backups/home/config')).toBe(true);
    expect(world.driver.forgotten).toHaveLength(1);
    expect(await world.eventKinds()).toContain('repository_deleted');
    await expect(world.getRepository(caller, id)).rejects.toMatchObject(
      refusal('not_found', /no repository/),
    );
  });

  it.each(['pending', 'running'] as const)('is refused while a job is %s', async (status) => {
    const { world, id } = await withHome();
    await world.addJob(id, status);
    await expect(world.deleteRepository(id)).rejects.toMatchObject(refusal('conflict', new RegExp(status)));
    expect(await world.rows()).toHaveLength(1);
  });
});

describe('listing repositories', () => {
  it('marks the one under maintenance', async () => {
    const { world, id } = await withHome();
    await world.addJob(id, 'running', 'check');
    const other = await world.create({ name: 'other', path: '/backups/other' });
    await world.addJob(other.repository.id, 'running', 'backup');
    const { repositories } = await world.listRepositories(caller);
    expect(repositories.map((each) => [each.name, each.has_running_maintenance])).toEqual([
      ['home', true],
      ['other', false],
    ]);
  });
});
