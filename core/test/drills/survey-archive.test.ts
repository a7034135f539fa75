import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { expect, it } from 'vitest';
import { Proofs } from '../../src/backup/drills/coverage.rules.js';
import { surveyArchive } from '../../src/backup/drills/survey-archive.js';
import { entryOf } from './entries.js';

async function* batches(entries: ArchiveEntry[]) {
  yield entries;
}
const survey = (entries: ArchiveEntry[], fixedPaths: string[] = [], sampleFiles = 100) =>
  surveyArchive(
    batches(entries),
    { sampleFiles, sampleBytes: 1_000, fixedPaths, plannedAt: null },
    { proofs: new Proofs(), kinds: [] },
  );
const paths = ({ picks }: Awaited<ReturnType<typeof survey>>) => picks.map(({ path }) => path);
const told = ({ known }: Awaited<ReturnType<typeof survey>>) =>
  known.map(({ path, verdict, reason }) => [path, verdict, reason?.code]);

it('picks files and symlinks, but no folders, further links or special files', async () => {
  const found = await survey([
    entryOf('home', { type: 'directory' }),
    entryOf('home/a'),
    entryOf('home/b', { hardLinkTarget: 'home/a', size: 0 }),
    entryOf('home/link', { type: 'symlink', symlinkTarget: 'a' }),
    entryOf('home/pipe', { type: 'other' }),
  ]);
  expect(paths(found)).toEqual(['home/a', 'home/link']);
  expect([found.tally.files, found.tally.bytes]).toEqual([1, 10]);
});

it('fails every file that the archive lists as damaged, picked or not', async () => {
  const found = await survey([entryOf('a', { healthy: false }), entryOf('b')], [], 1);
  expect([paths(found), told(found)]).toEqual([['b'], [['a', 'failed', 'drill_content_lost']]]);
});

it('always picks fixed paths beyond the limits and reports missing ones', async () => {
  const entries = [entryOf('letters/a', { size: 5_000 }), entryOf('letters/b'), entryOf('other')];
  const found = await survey(entries, ['letters', 'gone'], 1);
  expect(paths(found)).toEqual(['letters/a', 'letters/b', 'other']);
  expect(told(found)).toEqual([['gone', 'failed', 'drill_path_not_in_archive']]);
});

it('restores nothing through symlinks or unsafe names', async () => {
  const found = await survey([
    entryOf('way', { type: 'symlink', symlinkTarget: '/victim' }),
    entryOf('way/planted'),
    entryOf('../outside'),
    entryOf('good'),
  ]);
  expect(paths(found)).toEqual(['way', 'good']);
  expect(told(found)).toEqual([['way/planted', 'not_examined', 'drill_entry_refused']]);
});
