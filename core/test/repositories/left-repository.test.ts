import { StoreError } from '@holdfast/plugin-api';
import { beforeEach, expect, test } from 'vitest';
import { makeHousekeepingWorker } from '../../src/app/housekeeping/housekeeping-worker.js';
import { removeLeftFolders } from '../../src/backup/repositories/repository-making.js';
import { repositoryMakings } from '../../src/backup/repositories/tables.js';
import { archive, type FakeRepository } from './fake-driver.js';
import { makeWorld } from './world.js';

let world: ReturnType<typeof makeWorld>;
const path = '/backups/home';
const refusal = (code: string, detail: RegExp) => ({ code, detail: expect.stringMatching(detail) });
const notes = () => world.storage.find(repositoryMakings);

beforeEach(() => {
  world = makeWorld();
});

/** What a process leaves that died after the tool had made the repository. */
async function dieAfterTool(extra: Partial<FakeRepository> = {}, leaseMs = -1): Promise<void> {
  const lease_until = world.clock.now() + leaseMs;
  await world.storage.insert(repositoryMakings, { path, uid: 'uid-of-the-first', lease_until });
  const made = { id: 'made', encryption: 'repokey' as const, passphrase: 'correct horse', archives: [] };
  world.driver.repositories.set(path, { ...made, ...extra });
  world.files.add(`${path}/config`, 'file');
}

test('registers the repository that a killed process created', async () => {
  await dieAfterTool();
  const { repository, warnings } = await world.create();
  expect(warnings).toEqual([expect.stringContaining('was interrupted')]);
  expect(await world.row(repository.id)).toMatchObject({ tool_id: 'made', uid: 'uid-of-the-first', path });
  expect(world.driver.calls).not.toContain('init');
  expect(await notes()).toEqual([]);
});

test('creates one if the killed process had not started the tool', async () => {
  await world.storage.insert(repositoryMakings, { path, uid: 'u', lease_until: 0 });
  world.files.add(path, 'directory');
  await world.create();
  expect(world.driver.calls).toEqual(['init']);
  expect(await notes()).toEqual([]);
});

test('refuses a retry while the first call still runs', async () => {
  await dieAfterTool({}, 4_000);
  await expect(world.create()).rejects.toMatchObject({
    ...refusal('conflict', /being created/),
    retryAfterSeconds: 4,
  });
  expect(world.driver.calls).toEqual([]);
});

test.each<[string, Partial<FakeRepository>, object, RegExp]>([
  ['holds an archive', { archives: [archive('a')] }, {}, /in use.*import/],
  ['is of another encryption', { encryption: 'repokey-blake2' }, {}, /has different encryption.*import/],
  ['is of another passphrase', { passphrase: 'another' }, {}, /with this passphrase: remove that folder/],
  ['lost its key file', { encryption: 'keyfile' }, { encryption: 'keyfile' }, /the key file was lost/],
])('keeps a repository that %s', async (_name, left, input, detail) => {
  await dieAfterTool(left);
  await expect(world.create(input)).rejects.toMatchObject(refusal('conflict', detail));
  expect(world.files.has(`${path}/config`)).toBe(true);
  expect(await world.rows()).toEqual([]);
  expect(await notes()).toHaveLength(1);
});

test('never records or takes a repository that existed before', async () => {
  world.driver.repositories.set(path, {
    id: 'old',
    encryption: 'repokey',
    passphrase: 'correct horse',
    archives: [],
  });
  world.files.add(`${path}/config`, 'file');
  await expect(world.create()).rejects.toMatchObject(refusal('conflict', /import/));
  await expect(world.create()).rejects.toMatchObject(refusal('conflict', /import/));
  expect(await notes()).toEqual([]);
});

test('keeps a repository that cannot be registered for the next call', async () => {
  await dieAfterTool();
  const transaction = world.storage.transaction.bind(world.storage);
  world.storage.transaction = () => Promise.reject(new StoreError('unavailable', 'gone'));
  await expect(world.create()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(world.files.has(`${path}/config`)).toBe(true);
  world.storage.transaction = transaction;
  const { repository } = await world.create();
  expect((await world.row(repository.id))?.tool_id).toBe('made');
});

test('leaves the repository to the process that took over', async () => {
  const init = world.driver.init.bind(world.driver);
  world.driver.init = async (...words) => {
    const made = await init(...words);
    await world.storage.update(repositoryMakings, { path }, { fence: 7 });
    return made;
  };
  await expect(world.create()).rejects.toMatchObject(refusal('conflict', /being created/));
  expect(world.files.has(`${path}/config`)).toBe(true);
  expect(await notes()).toHaveLength(1);
});

test('removes an unused record after 30 days', async () => {
  await dieAfterTool();
  const sweep = () => makeHousekeepingWorker(world.dependencies).round();
  await sweep();
  expect(await notes()).toHaveLength(1);
  world.clock.advance(30 * 24 * 3_600_000);
  await sweep();
  expect(await notes()).toEqual([]);
});

test('remove the folders of makings whose process died, and no other', async () => {
  const { repository } = await world.create({ path: '/backups/kept', name: 'kept' });
  const { uid = '' } = (await world.row(repository.id)) ?? {};
  const note = (of: string, leaseMs: number) =>
    world.storage.insert(repositoryMakings, {
      path: `candidate:${of}`,
      uid: of,
      lease_until: world.clock.now() + leaseMs,
    });
  await note('dead', -1);
  await note('alive', 1_000);
  await note(uid, -1);
  world.driver.forgotten.length = 0;
  await removeLeftFolders(world.dependencies);
  expect(world.driver.forgotten).toEqual(['dead']);
  await removeLeftFolders(world.dependencies);
  expect(world.driver.forgotten, 'again, on another machine').toEqual(['dead', 'dead']);
});

test('refuses to register a repository that another process removed', async () => {
  world.driver.repositories.set(path, {
    id: 'old',
    encryption: 'repokey',
    passphrase: 'correct horse',
    archives: [],
  });
  world.files.add(`${path}/config`, 'file');
  world.files.add(path, 'directory');
  const list = world.driver.listArchives.bind(world.driver);
  world.driver.listArchives = async (...words) => {
    world.clock.advance(11_000);
    await removeLeftFolders(world.dependencies);
    return list(...words);
  };
  await expect(world.import({ passphrase: 'correct horse' })).rejects.toMatchObject(
    refusal('conflict', /being created/),
  );
  expect(await world.rows()).toEqual([]);
});
