import { link, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ReservedPlaces } from '../../../src/backup/repositories/repository-path.rules.js';
import { surveyArchive } from '../../../src/backup/restore/plan-restore.js';
import type { RestoreOrder } from '../../../src/backup/restore/restore.rules.js';
import { dropIncomplete } from '../../../src/backup/restore/stage/drop-incomplete.fs.js';
import { obstaclesOf } from '../../../src/backup/restore/stage/judge-survey.js';
import { Survey } from '../../../src/backup/restore/stage/survey.js';
import {
  changedSince,
  identityOf,
  look,
  type RestoreTarget,
} from '../../../src/backup/restore/stage/target-files.fs.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const order = (fields: Partial<RestoreOrder>): RestoreOrder => ({
  repositoryId: 1,
  archive: 'a',
  archiveId: '',
  paths: [],
  stripComponents: 0,
  destinationConnectionId: null,
  destinationHost: null,
  destination: '/',
  overwrite: true,
  skipExisting: false,
  ...fields,
});

async function* entries(...paths: string[]): AsyncGenerator<ArchiveEntry[]> {
  yield paths.map((path) => ({
    path: path.replace(/^\/|\/$/g, ''),
    type: path.endsWith('/') ? 'directory' : 'file',
    size: 1,
    user: 'u',
    group: 'g',
    healthy: true,
    hardLinkTarget: null,
    symlinkTarget: null,
  })) as ArchiveEntry[];
}

async function survey(fields: Partial<RestoreOrder>, identity: string | null, ...paths: string[]) {
  const reserved = new ReservedPlaces([{ path: join(folder, 'data'), what: 'the data folder', identity }]);
  const target = { look, reserved, lacks: async () => [] } as Partial<RestoreTarget> as RestoreTarget;
  const asked = order(fields);
  const made = new Survey(asked, target);
  await made.addAll(entries(...paths));
  const judged = { survey: made, order: asked, parent: '/', freeBytes: 1e9, freeHere: null };
  return obstaclesOf({ ...judged, canSetOwners: true, owners: [] }).map(String);
}

test('protects files of Holdfast in place, but allows those around them', async () => {
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'data', 'db'), '');
  expect(await survey({}, null, `${folder}/`, `${folder}/data/`, `${folder}/other`)).toEqual([]);
  const [obstacle] = await survey({}, null, `${folder}/`, `${folder}/data/`, `${folder}/data/db`);
  expect(obstacle).toBe(
    `${folder}/data/db: it is in the data folder. Choose other paths or another destination.`,
  );
});

test('protects them under another name of their folder', async () => {
  await mkdir(join(folder, 'mounted'));
  const stats = await look(join(folder, 'mounted'));
  const [obstacle] = await survey({}, stats && identityOf(stats), `${folder}/mounted/db`);
  expect(obstacle).toMatch(/mounted: it is the data folder under another name/);
});

test('checks the space of this server for a transfer through it', async () => {
  const asked = order({ destination: folder, destinationConnectionId: 1 });
  const target = { look, reserved: new ReservedPlaces([]) } as Partial<RestoreTarget> as RestoreTarget;
  const made = new Survey(asked, target);
  await made.addAll(entries('one', 'two'));
  const judged = {
    survey: made,
    order: asked,
    parent: folder,
    freeBytes: 10,
    canSetOwners: true,
    owners: [],
  };
  expect(obstaclesOf({ ...judged, freeHere: 2 })).toEqual([]);
  expect(obstaclesOf({ ...judged, freeHere: 1 })).toMatchObject([
    { code: 'data_folder_too_full', text: expect.stringMatching(/data folder of Holdfast/) },
  ]);
});

const entry = (path: string, fields: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
  path,
  type: 'file',
  mode: '-rw-r--r--',
  size: 1,
  mtime: 0,
  user: 'u',
  group: 'g',
  healthy: true,
  hardLinkTarget: null,
  symlinkTarget: null,
  ...fields,
});
const folderEntry = (path: string) => entry(path, { type: 'directory' });
const symlink = (path: string, target = '/victim') => entry(path, { type: 'symlink', symlinkTarget: target });
const hardLink = (path: string, source: string) => entry(path, { size: 0, hardLinkTarget: source });

/** The survey of an archive, read as often as it asks for it. */
async function surveyOf(archive: ArchiveEntry[], fields: Partial<RestoreOrder> = {}) {
  const place = {
    look,
    lacks: async () => [],
    reserved: new ReservedPlaces([]),
  } as Partial<RestoreTarget> as RestoreTarget;
  let reads = 0;
  async function* listEntries() {
    reads += 1;
    yield archive;
  }
  const asked = order({ destination: folder, overwrite: false, ...fields });
  const request = { target: {} as never, order: asked, place, options: {} };
  const made = await surveyArchive({ listEntries }, request);
  const judged = { survey: made, order: asked, parent: '/', freeBytes: 1e9, freeHere: null };
  const obstacles = obstaclesOf({ ...judged, canSetOwners: true, owners: [] }).map(String);
  return { made, obstacles, reads, blocked: made.blocked.examples.map(({ path }) => path) };
}

describe('the changes since a plan', () => {
  const inPlace = async () => {
    await mkdir(join(folder, 'home', 'letters'), { recursive: true });
    await writeFile(join(folder, 'home', 'letters', 'old'), 'old');
    const path = (name: string) => `${folder}/home/letters/${name}`.slice(1);
    const archive = [folderEntry(path('').slice(0, -1)), entry(path('old')), entry(path('new'))];
    const { made } = await surveyOf(archive, { destination: '/', overwrite: true });
    await made.stagingParent();
    return () => changedSince({ look }, made.stamps);
  };

  test('ignore other files in the folders above', async () => {
    const changed = await inPlace();
    await writeFile(join(folder, 'home', 'other'), '');
    await mkdir(join(folder, 'elsewhere'));
    expect(await changed()).toBeNull();
  });

  test('include a replaced parent folder', async () => {
    const changed = await inPlace();
    await rename(join(folder, 'home'), join(folder, 'away'));
    await mkdir(join(folder, 'home'));
    await rename(join(folder, 'away', 'letters'), join(folder, 'home', 'letters'));
    expect(await changed()).toBe(join(folder, 'home'));
  });

  test('include a replaced file and any new one next to it', async () => {
    const replaced = await inPlace();
    await writeFile(join(folder, 'home', 'letters', 'old'), 'newer');
    expect(await replaced()).toBe(join(folder, 'home', 'letters', 'old'));
    const appeared = await inPlace();
    await writeFile(join(folder, 'home', 'letters', 'new'), '');
    expect(await appeared()).toBe(join(folder, 'home', 'letters'));
  });
});

describe.each([0, 1, 2, 3, 4])(
  'an archive with unsafe paths whose %i leading parts are stripped',
  (stripComponents) => {
    const deep = (path: string) => `a/b/c/d/${path}`;

    test.each<[string, ArchiveEntry[], string]>([
      ['by ".."', [entry(deep('../../../../../../x'))], 'its path contains a ".." segment'],
      ['from the root', [entry(`/${deep('x')}`)], 'its path begins with a slash'],
      ['by a symlink', [symlink('a'), entry(deep('x'))], 'the archive contains it below a symlink'],
      [
        'by a deep one',
        [symlink(deep('way')), entry(deep('way/x'))],
        'the archive contains it below a symlink',
      ],
      ['by one that comes late', [entry(deep('x')), symlink('a')], 'as a directory and as a symlink'],
      [
        'by a source with ".."',
        [hardLink(deep('h'), '../../x')],
        'a hard link to a path that contains a ".."',
      ],
      ['by a source from the root', [hardLink(deep('h'), '/etc/x')], 'a path that begins with a slash'],
      ['by a source it lacks', [hardLink(deep('h'), deep('gone'))], 'a file that the archive does not have'],
      [
        'by a source behind a symlink',
        [symlink('w'), hardLink(deep('h'), 'w/s')],
        'a hard link through a symlink',
      ],
      ['by one that comes late', [hardLink(deep('h'), 'w/s'), symlink('w')], 'a hard link through a symlink'],
      ['as file and directory', [entry('a'), entry(deep('x'))], 'the archive contains it below a file'],
      ['as directory and file', [folderEntry(deep('x')), entry(deep('x'))], 'as a directory and as a file'],
      ['as two things', [symlink(deep('x')), entry(deep('x'))], 'as a symlink and as a file'],
    ])('%s is refused', async (_what, archive, reason) => {
      const { obstacles } = await surveyOf([...archive, entry(deep('whole'))], { stripComponents });
      expect(obstacles[0]).toContain(reason);
    });
  },
);

test('ignores entries that are not selected, but allows no hard link through them', async () => {
  const archive = [symlink('way'), entry('way/x'), entry('good'), entry('bad/../../x')];
  expect((await surveyOf(archive, { paths: ['good'] })).obstacles).toEqual([]);
  expect((await surveyOf(archive, { paths: ['way/x', 'good'] })).obstacles).toEqual([]);
  const { blocked } = await surveyOf([...archive, hardLink('good/h', 'way/x')], { paths: ['good'] });
  expect(blocked).toContain('good/h');
});

test('reads a sound archive once, or twice for hard links to unselected entries', async () => {
  const archive = [folderEntry('a'), entry('a/f'), entry('a/f'), hardLink('h', './a/f'), symlink('s', 'a')];
  const all = await surveyOf(archive);
  expect([all.obstacles, all.reads, all.made.bytes]).toEqual([[], 1, 2]);
  const some = await surveyOf(archive, { paths: ['h'] });
  expect([some.obstacles, some.reads, some.made.bytes]).toEqual([[], 2, 1]);
});

describe('a file that the tool calls damaged', () => {
  const archive = [entry('f', { healthy: false }), hardLink('h', 'f'), hardLink('h2', 'h'), entry('whole')];

  test('never replaces a file, even by another hard link', async () => {
    const { obstacles, made } = await surveyOf(archive, { overwrite: true });
    expect(made.damaged.count).toBe(3);
    expect(obstacles[0]).toMatch(/^f is damaged in the repository \(and 2 more\), .* without overwrite/);
    expect((await surveyOf(archive, { overwrite: true, paths: ['h2'] })).obstacles[0]).toMatch(
      /^h2 is damaged/,
    );
    expect((await surveyOf(archive, { overwrite: true, paths: ['whole'] })).obstacles).toEqual([]);
    expect((await surveyOf(archive)).obstacles).toEqual([]);
  });

  test.each([
    [['f', 'h', 'h2', 'whole'], ['whole']],
    [['h'], []],
  ])('removes incomplete files of %j and keeps %j', async (paths, stay) => {
    for (const path of paths.filter((each) => !each.startsWith('h')))
      await writeFile(join(folder, path), '0');
    for (const path of paths.filter((each) => each.startsWith('h')))
      await (paths.includes('f')
        ? link(join(folder, 'f'), join(folder, path))
        : writeFile(join(folder, path), '0'));
    async function* entries() {
      yield archive;
    }
    const left = await dropIncomplete(folder, {
      entries: entries(),
      order: order({ paths, destination: '/to' }),
    });
    expect(await readdir(folder)).toEqual(stay);
    const gone = paths.filter((path) => !stay.includes(path));
    expect(left.entries.map(({ path, result }) => [path, result])).toEqual(
      gone.map((path) => [`/to/${path}`, 'left_out']),
    );
  });
});

test('names a closed folder that the restore would write into', async () => {
  const closed = join(folder, 'closed', 'file');
  const denied = async (path: string) => {
    if (path === closed) throw Object.assign(new Error('EACCES: lstat'), { code: 'EACCES' });
    return look(path);
  };
  await mkdir(join(folder, 'closed'));
  const place = { look: denied, lacks: async () => [], reserved: new ReservedPlaces([]) };
  const target = place as Partial<RestoreTarget> as RestoreTarget;
  const made = new Survey(order({ destination: folder, overwrite: false }), target);
  await made.addAll(entries('closed/', 'closed/file'));
  expect(made.blocked.examples).toEqual([{ path: closed, reason: expect.stringContaining('has no access') }]);
  expect(await changedSince(target, [{ path: closed, stamp: null }])).toBe(closed);
});

test('looks below directories only and reads a batch concurrently', async () => {
  await writeFile(join(folder, 'file'), '');
  await mkdir(join(folder, 'there'));
  const asked: string[] = [];
  const open: string[] = [];
  let most = 0;
  const target = {
    look: async (path: string) => {
      asked.push(path.slice(folder.length));
      most = Math.max(most, open.push(path));
      return look(path).finally(() => open.pop());
    },
    reserved: new ReservedPlaces([]),
  } as Partial<RestoreTarget> as RestoreTarget;
  const made = new Survey(order({ destination: folder }), target);
  await made.addAll(entries('there/a', 'there/b', 'there/c', 'file/d/e', 'none/f', 'none/g/h'));
  expect(asked.toSorted()).toEqual(['', '/file', '/none', '/there', '/there/a', '/there/b', '/there/c']);
  expect(most).toBeGreaterThanOrEqual(3);
  expect(made.blocked.examples.map(({ path }) => path)).toEqual([join(folder, 'file')]);
});
