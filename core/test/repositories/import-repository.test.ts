import { DriverError } from '@holdfast/plugin-api/driver';
import { describe, expect, it, vi } from 'vitest';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { archive, type FakeRepository } from './fake-driver.js';
import { makeWorld } from './world.js';

const refusal = (code: string, detail: RegExp) => ({ code, detail: expect.stringMatching(detail) });

function withRepository(extra: Partial<FakeRepository> = {}, path = '/backups/home') {
  const world = makeWorld();
  const made = { id: 'old', encryption: 'repokey' as const, passphrase: 'secret words', archives: [] };
  world.driver.repositories.set(path, { ...made, ...extra });
  world.files.add(`${path}/config`, 'file');
  return world;
}
const passphrase = 'secret words';

describe('importing a repository', () => {
  it('reads encryption, size and archives from it', async () => {
    const world = withRepository({
      encryption: 'authenticated',
      archives: [archive('a'), archive('b', { end: 9000 })],
    });
    const { repository } = await world.import({ passphrase });
    expect(repository).toMatchObject({
      encryption: 'authenticated',
      archive_count: 2,
      total_size: '1.59 KB',
    });
    expect(repository.last_backup).toBe(new Date(9000).toISOString());
    expect(await world.storage.find(archives)).toHaveLength(2);
    expect(await world.eventKinds()).toEqual(['repository_created', 'archives_changed']);
  });

  it('is for administrators only when it holds copies of another installation', async () => {
    const itself = { comment: 'holdfast:2:elsewhere:-:ab12:itself' };
    const world = withRepository({ archives: [archive('a'), archive('b', itself)] });
    const { repository, warnings } = await world.import({ passphrase });
    expect(warnings).toEqual([expect.stringContaining('only administrators')]);
    expect(await world.row(repository.id)).toMatchObject({ admin_only: true, self_backup: false });
  });

  it('is for administrators only when it is a copy of a repository that was', async () => {
    const world = withRepository();
    const { repository } = await world.import({ passphrase });
    await world.storage.update(repositories, { id: repository.id }, { admin_only: true });
    await world.deleteRepository(repository.id);
    world.driver.repositories.set('/backups/copy', world.driver.repositories.get('/backups/home') as never);
    world.files.add('/backups/copy/config', 'file');
    const copy = await world.import({ passphrase, path: '/backups/copy' });
    const again = await world.import({ passphrase, name: 'again', mode: 'observe' });
    for (const { id } of [copy.repository, again.repository])
      expect((await world.row(id))?.admin_only).toBe(true);
  });

  it('is registered although its archives could not be listed, and lists them afterwards', async () => {
    const world = withRepository();
    world.driver.failures.set('listArchives', new DriverError('failed', 'odd.'));
    const { repository, warnings } = await world.import({ passphrase });
    expect(warnings).toEqual([expect.stringContaining('not be listed')]);
    expect((await world.row(repository.id))?.inventory_at).not.toBeNull();
  });

  it('stores a key file and ignores an unneeded one', async () => {
    const text = 'BORG_KEY old\nkey-material\n';
    const keyed = withRepository({ encryption: 'keyfile' });
    expect((await keyed.import({ passphrase, keyfile_content: text })).repository.has_keyfile).toBe(true);
    const inside = withRepository();
    const answer = await inside.import({ passphrase, keyfile_content: text });
    expect(answer.repository.has_keyfile).toBe(false);
    expect(answer.warnings).toEqual([expect.stringContaining('keyfile_content')]);
  });

  it('refuses full mode for a copy, and observes it under another uid', async () => {
    const world = withRepository();
    const copy = world.driver.repositories.get('/backups/home');
    if (copy) world.driver.repositories.set('/backups/copy', copy);
    world.files.add('/backups/copy/config', 'file');
    await world.import({ passphrase });
    const second = { passphrase, name: 'copy', path: '/backups/copy' };
    await expect(world.import(second)).rejects.toMatchObject(refusal('conflict', /home .* has the same id/));
    const { repository } = await world.import({ ...second, mode: 'observe' });
    await expect(world.update(repository.id, { mode: 'full' })).rejects.toMatchObject(
      refusal('conflict', /has the same id/),
    );
    const [one, two] = await world.rows();
    expect(one?.tool_id).toBe(two?.tool_id);
    expect(one?.uid).not.toBe(two?.uid);
  });

  it.each([
    [{ passphrase: 'wrong' }, 'invalid', /passphrase/],
    [{}, 'invalid', /passphrase/],
    [{ passphrase, path: '/backups/none' }, 'invalid', /does not exist/],
    [{ passphrase, path: '/backups/home/config' }, 'invalid', /not a directory/],
    [{ passphrase, path: '/home/operator', source_directories: ['/data'] }, 'invalid', /no Borg repository/],
    [{ passphrase, keyfile_content: 'BORG_KEY other\nx\n' }, 'invalid', /another repository/],
    [{ passphrase, source_directories: [] }, 'invalid', /at least one directory/],
  ])('refuses %j', async (input, code, detail) => {
    const world = withRepository();
    await expect(world.import(input)).rejects.toMatchObject(refusal(code, detail));
    expect(await world.rows()).toEqual([]);
    expect(world.files.has('/backups/home/config')).toBe(true);
  });

  it('says how to give a missing key file', async () => {
    const world = withRepository({ encryption: 'keyfile' });
    await expect(world.import({ passphrase })).rejects.toMatchObject(refusal('invalid', /keyfile_content/));
    expect(world.driver.forgotten).toHaveLength(1);
  });

  it('names the holder of the lock', async () => {
    const world = withRepository();
    world.driver.failures.set(
      'open',
      new DriverError('locked', 'locked', { holder: 'borg on nas, process 12' }),
    );
    await expect(world.import({ passphrase })).rejects.toMatchObject(refusal('conflict', /nas, process 12/));
  });

  it('answers a second call with the first import while that one runs', async () => {
    const world = withRepository();
    const [one, other] = await Promise.all([world.import({ passphrase }), world.import({ passphrase })]);
    expect(other.repository.id).toBe(one.repository.id);
    expect(await world.rows()).toHaveLength(1);
  });

  it('answers without the size when the tool takes long to measure', async () => {
    const world = withRepository();
    let measure = () => {};
    const measuring = new Promise<void>((resolve) => {
      measure = resolve;
    });
    world.dependencies.lanes.withLane = async (_id, _what, work) => {
      await measuring;
      return work();
    };
    const { repository } = await world.import({ passphrase });
    expect(repository).toMatchObject({ id: 1, total_size: null });
    measure();
    await vi.waitFor(async () => expect((await world.row(1))?.stored_size).toBeGreaterThan(0));
  });

  it('refuses one that is registered', async () => {
    const world = withRepository();
    await world.import({ passphrase });
    await expect(world.import({ passphrase, name: 'again' })).rejects.toMatchObject(
      refusal('conflict', /path/),
    );
  });
});
