import type { BackupDriver } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Dependencies } from '../../src/app/app.js';
import { placesUseCases } from '../../src/backup/places/index.js';
import { preflight } from '../../src/backup/places/preflight.js';
import type { FileSystem, FolderListing } from '../../src/foundation/ports/filesystem.js';
import { fakeFiles } from '../repositories/fake-files.js';

const listing: FolderListing = { entries: [], truncated: false, repository: false, freeBytes: 1, mount: '/' };
const hang = () => new Promise<never>(() => {});

const scripts = { before: true, leftOutBy: ['nightly'] };
const noScripts = async () => ({ before: false, leftOutBy: [] });

function world(files: Partial<FileSystem>, driver: Partial<BackupDriver> = {}) {
  const dependencies = {
    files: { ...fakeFiles(), space: async () => ({ free: 10, total: 20, device: 1 }), ...files },
    driver,
    toolVersion: { line: async () => 'borg 1.2.4' },
    settings: { dataDirectory: '/data' },
  };
  const needs = dependencies as unknown as Dependencies;
  return { ...placesUseCases(needs, async () => scripts), needs };
}
const input = { source_directories: ['/home'], exclude_patterns: [], path: '/backups/x' };
const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a folder whose file system hangs', () => {
  it('is given up after a while, and holds only a few threads', async () => {
    const { browseFolder } = world({ list: hang });
    const asked = [1, 2].map(() =>
      browseFolder({ path: '/nfs', limit: 10 }).catch((error: unknown) => error),
    );
    await vi.advanceTimersByTimeAsync(10_000);
    for (const error of await Promise.all(asked)) {
      expect(error).toMatchObject({ code: 'unavailable', reason: { code: 'folder_hangs' } });
    }
    await expect(browseFolder({ path: '/other', limit: 10 })).rejects.toMatchObject({
      code: 'unavailable',
      reason: { code: 'folders_busy' },
    });
  });

  it('frees its slot once it answers', async () => {
    let answer = (_: FolderListing) => {};
    const list = () =>
      new Promise<FolderListing>((resolve) => {
        answer = resolve;
      });
    const { browseFolder } = world({ list });
    for (let n = 0; n < 5; n += 1) {
      const asked = browseFolder({ path: '/slow', limit: 10 });
      await vi.advanceTimersByTimeAsync(1_000);
      answer(listing);
      expect((await asked).current_path).toBe('/slow');
    }
  });
});

describe('a preflight', () => {
  it('returns an incomplete result when the time is up', async () => {
    const survey: FileSystem['survey'] = (_, { tally }) => {
      tally.files = 7;
      return hang();
    };
    expect(await preflight(world({ survey }).needs, noScripts, 50)(input, never)).toMatchObject({
      complete: false,
      files: 7,
      missing: ['/home'],
    });
  });

  it('names a missing source as missing only', async () => {
    const space: FileSystem['space'] = async (path) =>
      path === '/mnt/usb' ? null : { free: 10, total: 20, device: 1 };
    const { needs } = world({ space, survey: async () => {} });
    const sources = { ...input, source_directories: ['/', '/mnt/usb'] };
    expect(await preflight(needs, noScripts, 1_000)(sources, never)).toMatchObject({
      missing: expect.arrayContaining(['/mnt/usb']),
      same_disk: ['/'],
    });
  });

  it('ends with its client', async () => {
    const gone = new AbortController();
    let signal: AbortSignal | undefined;
    const survey: FileSystem['survey'] = (_, options) => {
      ({ signal } = options);
      return hang();
    };
    const asked = world({ survey }).preflight(input, gone.signal);
    await vi.advanceTimersByTimeAsync(10);
    gone.abort();
    expect((await asked).complete).toBe(false);
    expect(signal?.aborted).toBe(true);
  });

  it('reports patterns that the driver cannot evaluate', async () => {
    const { preflight: look } = world({ survey: async () => {} });
    expect(await look({ ...input, exclude_patterns: ['*.tmp'] }, never)).toMatchObject({
      complete: false,
      unchecked_patterns: ['*.tmp'],
    });
  });

  it('warns of a location without enough space', async () => {
    const survey: FileSystem['survey'] = async (_, { tally }) => {
      Object.assign(tally, { files: 1, bytes: 11 });
    };
    const { warnings } = await world({ survey }).preflight(input, never);
    expect(warnings).toContainEqual({
      code: 'place_too_small',
      params: { free: '10 B', size: '11 B' },
      text: expect.stringContaining('may not fit'),
    });
  });

  it.each([0, 3])('warns of unreadable files only when there are some: %i', async (unreadable) => {
    const survey: FileSystem['survey'] = async (_, { tally }) => {
      Object.assign(tally, { files: 1, bytes: 1, unreadable });
    };
    const { warnings } = await world({ survey }).preflight(input, never);
    const codes = warnings.map(({ code }) => code);
    expect(codes.includes('sources_unreadable')).toBe(unreadable > 0);
  });
});

describe('the scripts of the repository', () => {
  const missing = async (path: string) => ({ path, state: 'missing' as const });
  const codes = async (more: object) => {
    const { preflight } = world({ lookAt: missing, survey: async () => {} });
    return (await preflight({ ...input, ...more }, never)).warnings
      .map(({ code }) => code)
      .filter((code) => /sources_missing|hooks/.test(code));
  };

  it('explain missing sources, and are named where a schedule leaves them out', async () => {
    expect(await codes({ repository_id: 7 })).toEqual([
      'sources_missing_before_script',
      'schedules_without_hooks',
    ]);
  });

  it('are of no concern without a repository', async () => {
    expect(await codes({})).toEqual(['sources_missing']);
  });
});

it('reads the device behind a symlink only with --read-special', async () => {
  const lookAt = async (path: string) => ({ path, state: 'symlink' as const, toSpecial: true });
  const { preflight } = world({ lookAt, survey: async () => {} }, { checkCustomFlags: () => [] });
  const links = async (custom_flags: string | null) =>
    (await preflight({ ...input, custom_flags }, never)).symlink_sources;
  expect(await links(null)).toEqual(['/home']);
  expect(await links('--read-special')).toEqual([]);
});
