import { buffer } from 'node:stream/consumers';
import { DriverError } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jobs } from '../../src/engine/jobs/tables.js';
import { type ArchiveScene, archiveScene, jobRow, summary } from './archive-scene.js';
import { directory, entry } from './listing/listing-world.js';

let scene: ArchiveScene;
beforeEach(async () => {
  scene = await archiveScene();
});
afterEach(async () => {
  expect(scene.lane.held).toBe(0);
  await scene.end();
});

const contents = (path = '', archive = 'first') =>
  scene.useCases.listContents({ ...scene.of, archive, path });
const info = (include_files = false, file_limit = 1000, archive = 'first') =>
  scene.useCases.getArchive({ ...scene.of, archive, include_files, file_limit });
const download = (file_path: string, archive = 'first') =>
  scene.useCases.downloadFile({ ...scene.of, archive, file_path });
const bytes = async (file_path: string) => String(await buffer((await download(file_path)).stream));

const tree = [
  directory('d'),
  entry('d/b', { size: 3 }),
  entry('d/A', { size: 0, hardLinkTarget: 'd/b' }),
  entry('d/link', { type: 'symlink', symlinkTarget: '../x\udcfe', size: 5 }),
  entry('d/pipe', { type: 'other', size: 0 }),
  directory('d/Zed'),
  directory('d/ant'),
  entry('d/bad\udcff', { size: 2 }),
];

test('lists archives oldest first with the age of the list', async () => {
  expect(await scene.useCases.listArchives(scene.of)).toMatchObject({
    success: true,
    archives: [
      { name: 'first', archive: 'first', start: '2029-01-01T00:00:00.000Z', original_size: null },
      { name: 'second' },
    ],
    repository: { id: scene.repository.id, name: 'home', path: '/backups/home' },
    as_of: '2030-01-01T00:00:00.000Z',
  });
});

describe('an archive', () => {
  test('goes by its name, or by the id of the tool', async () => {
    expect((await info(false, 1, 'second')).info.name).toBe('second');
    expect((await info(false, 1, summary('second').id)).info.name).toBe('second');
    scene.tool.archives.push({ ...summary('third'), name: summary('second').id });
    scene.clock.advance(60_000);
    expect((await info(false, 1, summary('second').id)).info.id).toBe(summary('third').id);
  });

  test('is found if it was added since the last list', async () => {
    await contents();
    scene.tool.archives.push(summary('new'));
    scene.clock.advance(10_000);
    expect((await info(false, 1, 'new')).info.name).toBe('new');
  });

  test('is 404 if missing, even while the lane is held', async () => {
    await expect(contents('', 'nothing')).rejects.toMatchObject({ code: 'not_found' });
    scene.clock.advance(10_000);
    scene.lane.holder = 'check job 1';
    await expect(contents('', 'nothing')).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      scene.useCases.listContents({ repository: '/x', archive: 'a', path: '' }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('contents', () => {
  beforeEach(() => {
    scene.tool.entries = tree;
  });

  test('are one level: directories first, then by name', async () => {
    expect((await contents()).items).toMatchObject([{ name: 'd', type: 'directory', size: 13, path: 'd' }]);
    const { items, path } = await contents('/d/');
    expect(path).toBe('d');
    expect(items.map(({ name }) => name)).toEqual(['ant', 'Zed', 'A', 'b', 'bad\\udcff', 'link', 'pipe']);
    expect(items).toContainEqual({
      name: 'bad\\udcff',
      path: 'd/bad\\udcff',
      name_escaped: true,
      type: 'file',
      size: 2,
      mtime: '2030-01-01T00:00:00.000Z',
      healthy: true,
    });
    expect(items.find(({ name }) => name === 'A')).toMatchObject({ size: 3, hard_link_target: 'd/b' });
    expect(items.find(({ name }) => name === 'link')).toMatchObject({ symlink_target: '../x\\udcfe' });
    expect((await contents('d/ant')).items).toEqual([]);
  });

  test('are refused for anything but a directory', async () => {
    await expect(contents('d/b')).rejects.toMatchObject({ code: 'invalid' });
    await expect(contents('d/nothing')).rejects.toMatchObject({ code: 'not_found' });
    await expect(contents('d/b/x')).rejects.toMatchObject({ code: 'not_found' });
    await expect(contents('d/../d')).rejects.toMatchObject({ code: 'invalid' });
  });

  test('need no lane if cached', async () => {
    await contents();
    scene.lane.holder = 'check job 1';
    expect((await contents('d')).items).toHaveLength(7);
    expect(scene.tool.calls).toHaveLength(1);
  });

  test('are 404 if the tool no longer knows the archive', async () => {
    scene.tool.failure = new DriverError('archive_missing', 'gone');
    await expect(contents()).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the way to the tool', () => {
  const running = (kind: 'backup' | 'check') =>
    scene.storage.insert(jobs, {
      ...jobRow({ kind, repository: scene.repository, parameters: {}, requestedBy: 'x' }, 0),
      status: 'running',
    });

  test('waits 20 s for the lane, then names its holder', async () => {
    await scene.useCases.listArchives(scene.of);
    await running('check');
    scene.lane.holder = 'check job 1';
    const begin = scene.clock.now();
    await expect(contents()).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('check job 1'),
      retryAfterSeconds: 20,
    });
    expect(scene.clock.now() - begin).toBe(20_000);
  });

  test('leads past a running backup of ours, without lock', async () => {
    await scene.useCases.listArchives(scene.of);
    await running('backup');
    scene.lane.holder = 'backup job 1';
    scene.tool.entries = tree;
    expect((await contents()).items).toHaveLength(1);
    await info();
    expect(scene.tool.calls.map(({ options }) => options?.bypassLock)).toEqual([true, true]);
    expect(scene.lane.waits).toBe(0);
  });

  test('leads past a backup that began while it waited', async () => {
    await scene.useCases.listArchives(scene.of);
    scene.lane.holder = 'backup job 1';
    const { withLane } = scene.dependencies.lanes;
    scene.dependencies.lanes.withLane = async (...parameters) => {
      if (scene.lane.waits === 2) await running('backup');
      return withLane(...parameters);
    };
    expect((await info()).info.name).toBe('first');
  });

  test('never waits where bypass_lock is set', async () => {
    await scene.useCases.listArchives(scene.of);
    await scene.change({ mode: 'observe', bypass_lock: true });
    scene.lane.holder = 'check job 1';
    await info();
    expect(scene.tool.calls[0]?.options?.bypassLock).toBe(true);
  });

  test.each([
    ['locked', 'conflict', 'backup on nas'],
    ['connection', 'unavailable', 'no route'],
    ['passphrase_wrong', 'internal', 'no route'],
  ] as const)('reports an end with %s as %s', async (kind, code, text) => {
    scene.tool.failure = new DriverError(kind, 'no route', { holder: 'backup on nas' });
    await expect(info()).rejects.toMatchObject({ code, detail: expect.stringContaining(text) });
  });
});

describe('info', () => {
  test('returns the data of the tool', async () => {
    expect(await info()).toEqual({
      success: true,
      info: {
        name: 'first',
        id: summary('first').id,
        comment: '',
        hostname: 'host',
        username: 'root',
        start: '2029-01-01T00:00:00.000Z',
        end: '2029-01-01T00:01:00.000Z',
        duration: 60,
        stats: { original_size: 10, compressed_size: 8, deduplicated_size: 6, nfiles: 5000 },
        command_line: ['borg', 'create'],
        chunker_params: ['buzhash', 19],
        limits: { max_archive_size: 0.1 },
        repository: {
          id: 'ab'.repeat(32),
          last_modified: '2029-01-01T00:01:00.000Z',
          location: '/backups/home',
        },
        encryption: { mode: 'none' },
        file_count: 5000,
        damaged: false,
        pinned: null,
      },
    });
  });

  test('limits the files but returns their total count', async () => {
    scene.tool.entries = tree;
    const few = (await info(true, 3)).info;
    expect(few.files?.map(({ path, size }) => [path, size])).toEqual([
      ['d', 0],
      ['d/b', 3],
      ['d/A', 3],
    ]);
    expect(few.file_count).toBe(5000);
    expect((await info(true, 100)).info.files).toHaveLength(8);
  });
});

describe('a download', () => {
  beforeEach(() => {
    scene.tool.entries = [...tree, entry('empty', { size: 0 }), entry('./odd', { size: 1 })];
    scene.tool.contents = { 'd/b': 'abc', 'd/bad\udcff': 'xy', './odd': 'z' };
  });

  test('returns the file, its name and its size', async () => {
    const { stream, ...rest } = await download('/d/b');
    expect(rest).toEqual({ fileName: 'b', size: 3 });
    expect(String(await buffer(stream))).toBe('abc');
    expect(await bytes('empty')).toBe('');
  });

  test('returns the file for a further hard link', async () => {
    expect(await bytes('d/A')).toBe('abc');
    expect(scene.tool.calls.at(-1)?.path).toBe('d/b');
  });

  test('accepts escaped names and asks the tool for the original path', async () => {
    expect(await bytes('d/bad\\udcff')).toBe('xy');
    expect(await bytes('odd')).toBe('z');
  });

  test.each(['d', 'd/link', 'd/pipe', '/', 'd/../d/b', 'd//b', 'd\0'])('refuses %j', async (path) => {
    await expect(download(path)).rejects.toMatchObject({ code: 'invalid' });
  });

  test('is 404 for a missing file', async () => {
    await expect(download('d/x')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('holds the lane until its stream ended or was abandoned', async () => {
    const read = await download('d/b');
    const left = await download('d/b');
    expect(scene.lane.held).toBe(2);
    await buffer(read.stream);
    left.stream.destroy();
    await expect.poll(() => scene.lane.held).toBe(0);
  });

  test('fails if the tool stops early and drops excess bytes', async () => {
    scene.tool.contents['d/b'] = 'ab';
    await expect(bytes('d/b')).rejects.toThrow('2 of 3 bytes');
    scene.tool.contents['d/b'] = 'abcabc';
    expect(await bytes('d/b')).toBe('abc');
  });

  test('returns the error if the tool refuses at once', async () => {
    await contents();
    scene.tool.failure = new DriverError('locked', 'locked', { holder: 'someone' });
    await expect(download('d/b')).rejects.toMatchObject({ code: 'conflict' });
  });
});
