import { newSourceSet, sourceSetChanges } from '@holdfast/contracts';
import { describe, expect, it } from 'vitest';
import { sshConnections } from '../../src/backup/ssh/tables.js';
import { makeWorld } from './world.js';

const caller = { userId: 1, username: 'ada', isAdmin: true, readOnly: false, tokenId: 1 };
const documents = { name: 'documents', source_directories: ['/home'], exclude_patterns: ['*.tmp'] };

async function withSet(values: object = {}) {
  const world = makeWorld();
  const { source_set } = await world.createSourceSet(newSourceSet.parse({ ...documents, ...values }));
  const change = (changes: object) => world.updateSourceSet(source_set.id, sourceSetChanges.parse(changes));
  const member = async (name: string) =>
    (
      await world.create({
        name,
        path: `/backups/${name}`,
        source_directories: [],
        source_set_id: source_set.id,
      })
    ).repository;
  return { world, set: source_set, change, member };
}

describe('a repository with a source set', () => {
  it('has its sources, patterns and host', async () => {
    const { member, set, world } = await withSet();
    const repository = await member('one');
    expect(repository).toMatchObject({ source_set_id: set.id, source_directories: ['/home'] });
    expect(repository).toMatchObject({ exclude_patterns: ['*.tmp'], source_ssh_connection_id: null });
    expect((await world.getSourceSet(set.id)).source_set.repositories).toEqual([
      { id: repository.id, name: 'one' },
    ]);
  });

  it.each([
    { source_directories: ['/etc'] },
    { source_directories: [] },
    { exclude_patterns: ['*.bak'] },
    { source_connection_id: 1 },
  ])('refuses %j together with a source set', async (beside) => {
    const { world, member } = await withSet();
    const { id } = await member('one');
    await world.storage.insert(sshConnections, {
      host: 'h',
      port: 22,
      username: 'u',
      status: 'connected',
      trusted: true,
      created_at: 0,
      updated_at: 0,
    });
    const refusal = { code: 'invalid', reason: { code: 'set_by_source_set' } };
    await expect(world.update(id, beside)).rejects.toMatchObject(refusal);
  });

  it('is refused on creation if it has sources too', async () => {
    const { world, set } = await withSet();
    const refusal = { code: 'invalid', reason: { code: 'set_by_source_set' } };
    const own = { source_directories: ['/etc'], source_set_id: set.id };
    await expect(world.create(own)).rejects.toMatchObject(refusal);
    expect(world.driver.calls).toEqual([]);
    await expect(world.create({ source_directories: [], source_set_id: 77 })).rejects.toMatchObject({
      code: 'not_found',
      reason: { code: 'source_set_unknown' },
    });
  });

  it('accepts the values that were read', async () => {
    const { world, member } = await withSet();
    const { id, source_directories, exclude_patterns } = await member('one');
    await world.update(id, { source_directories, exclude_patterns, compression: 'zstd' });
    expect(await world.row(id)).toMatchObject({ compression: 'zstd', source_directories: ['/home'] });
  });

  it('keeps a copy of the values when it leaves the set', async () => {
    const { world, change, member } = await withSet();
    const { id } = await member('one');
    const { repository } = await world.update(id, { source_set_id: null });
    expect(repository).toMatchObject({ source_set_id: null, source_directories: ['/home'] });
    await change({ source_directories: ['/home/operator'] });
    expect(await world.row(id)).toMatchObject({ source_directories: ['/home'], exclude_patterns: ['*.tmp'] });
    await world.update(id, { source_directories: ['/home', '/data'] });
  });

  it('can join one later unless the set contains its path', async () => {
    const { world, set } = await withSet();
    const mine = await world.create({ source_directories: ['/home'] });
    const { repository } = await world.update(mine.repository.id, { source_set_id: set.id });
    expect(repository.exclude_patterns).toEqual(['*.tmp']);
    const all = await world.createSourceSet(
      newSourceSet.parse({ ...documents, name: 'b', source_directories: ['/backups'] }),
    );
    await expect(world.update(repository.id, { source_set_id: all.source_set.id })).rejects.toMatchObject({
      detail: expect.stringContaining('inside the source'),
    });
  });

  it('can be imported with one', async () => {
    const { world, set } = await withSet();
    await world.create();
    await world.deleteRepository((await world.rows())[0]?.id ?? 0);
    const { repository } = await world.import({
      source_directories: [],
      source_set_id: set.id,
      passphrase: 'correct horse',
    });
    expect(repository.source_directories).toEqual(['/home']);
  });
});

describe('changing a source set', () => {
  it('updates its repositories and their versions, and reports an event', async () => {
    const { world, member, change, set } = await withSet();
    const ids = [(await member('one')).id, (await member('two')).id];
    const before = await world.rows();
    const changed = await change({ exclude_patterns: ['*.bak'], allow_parallel: true });
    expect(changed.source_set).toMatchObject({
      exclude_patterns: ['*.bak'],
      allow_parallel: true,
      id: set.id,
    });
    for (const [n, row] of (await world.rows()).entries()) {
      expect(row).toMatchObject({ exclude_patterns: ['*.bak'], source_directories: ['/home'] });
      expect(row.updated_at).toBeGreaterThan(before[n]?.updated_at ?? 0);
    }
    const kinds = await world.eventKinds();
    expect(kinds.filter((kind) => kind === 'repository_updated')).toHaveLength(ids.length);
    expect((await world.getRepository(caller, ids[0] ?? 0)).repository.exclude_patterns).toEqual(['*.bak']);
  });

  it('leaves repositories alone when only its name changes', async () => {
    const { world, member, change } = await withSet();
    await member('one');
    const before = await world.rows();
    await change({ name: 'papers' });
    expect(await world.rows()).toEqual(before);
  });

  it('is refused as a whole if one repository cannot use it, and names it', async () => {
    const { world, member, change } = await withSet();
    await member('one');
    const before = await world.rows();
    await expect(change({ source_directories: ['/backups'] })).rejects.toMatchObject({
      code: 'invalid',
      detail: expect.stringMatching(/Repository one: .*inside the source/),
    });
    await expect(change({ source_directories: ['home'] })).rejects.toMatchObject({ code: 'invalid' });
    await expect(change({ source_connection_id: 3 })).rejects.toMatchObject({ code: 'not_found' });
    expect(await world.rows()).toEqual(before);
  });

  it('loses nothing when one joins at the same time', async () => {
    const { world, member, change } = await withSet();
    const [, joined] = await Promise.all([change({ source_directories: ['/home/operator'] }), member('one')]);
    expect(await world.row(joined.id)).toMatchObject({ source_directories: ['/home/operator'] });
  });

  /** Runs once while paths are looked at: after the rows were read, before anything is written. */
  function meanwhile(world: ReturnType<typeof makeWorld>, work: () => Promise<unknown>) {
    const { realPath } = world.files;
    let isDone = false;
    world.files.realPath = async (path) => {
      if (!isDone) {
        isDone = true;
        await work();
      }
      return realPath(path);
    };
  }

  it('updates a repository that joins during its check', async () => {
    const { world, change, member } = await withSet();
    await member('one');
    meanwhile(world, () => member('two'));
    await change({ source_directories: ['/home/operator'] });
    const sources = (await world.rows()).map((row) => row.source_directories);
    expect(sources).toEqual([['/home/operator'], ['/home/operator']]);
  });

  it('is checked against a repository that joins at the same time', async () => {
    const { world, change, set, member } = await withSet();
    await member('one');
    world.files.add('/other', 'directory');
    const place = { name: 'two', path: '/other/two', source_directories: [], source_set_id: set.id };
    meanwhile(world, () => world.create(place));
    await expect(change({ source_directories: ['/other'] })).rejects.toMatchObject({
      detail: expect.stringMatching(/Repository two: .*inside the source/),
    });
  });

  it('updates a repository whose joining is still checked', async () => {
    const { world, change, set } = await withSet();
    const { repository } = await world.create({ source_directories: ['/data'] });
    meanwhile(world, () => change({ source_directories: ['/home/operator'] }));
    await world.update(repository.id, { source_set_id: set.id });
    expect(await world.row(repository.id)).toMatchObject({ source_directories: ['/home/operator'] });
  });

  it('refuses a used name', async () => {
    const { world, change } = await withSet();
    await world.createSourceSet(newSourceSet.parse({ ...documents, name: 'other' }));
    await expect(change({ name: 'other' })).rejects.toMatchObject({
      reason: { code: 'source_set_name_taken' },
    });
  });
});

describe('deleting a source set', () => {
  it('is refused while repositories use it, and names them', async () => {
    const { world, member, set } = await withSet();
    const { id } = await member('one');
    await member('two');
    await expect(world.deleteSourceSet(set.id)).rejects.toMatchObject({
      code: 'conflict',
      reason: { code: 'source_set_in_use', params: { repositories: ['one', 'two'] } },
    });
    await world.update(id, { source_set_id: null });
    await world.deleteRepository((await world.rows())[1]?.id ?? 0);
    await world.deleteSourceSet(set.id);
    expect((await world.listSourceSets()).source_sets).toEqual([]);
    expect(await world.row(id)).toMatchObject({ source_directories: ['/home'] });
  });
});
