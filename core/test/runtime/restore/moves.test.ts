import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RestoreOrder } from '../../../src/domain/restore.js';
import { planMoves } from '../../../src/runtime/restore/move-plan.js';
import {
  type Journal,
  missingDirectories,
  perform,
  readJournal,
  undo,
  writeJournal,
} from '../../../src/runtime/restore/moves.js';
import { makeStaging, removeStaging, type Staging } from '../../../src/runtime/restore/staging.js';
import { look } from '../../../src/runtime/restore/target-files.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moves-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const order = (destination: string): RestoreOrder => ({
  ...{ repositoryId: 1, archive: 'a', archiveId: '', paths: [], destination, stripComponents: 0 },
  destinationConnectionId: null,
  destinationHost: null,
  overwrite: true,
  skipExisting: false,
});

/** What is in a folder, by name; the staging folder is not counted. */
async function contentOf(root: string): Promise<Record<string, string>> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const found: [string, string][] = [];
  for (const entry of names) {
    const path = join(entry.parentPath, entry.name);
    if (path.includes('/staging')) continue;
    const name = path.slice(root.length + 1);
    found.push([name, entry.isDirectory() ? 'directory' : await readFile(path, 'utf8')]);
  }
  return Object.fromEntries(found.toSorted());
}

async function scene(): Promise<{ staging: Staging; journal: Journal; target: string }> {
  const target = join(folder, 'target');
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(target, 'both'), { recursive: true });
  await writeFile(join(target, 'both', 'a'), 'old a');
  await writeFile(join(target, 'both', 'mine'), 'mine');
  await writeFile(join(target, 'c'), 'old c');
  const staging = await makeStaging(join(target, 'staging'));
  await mkdir(join(staging.tree, 'both'));
  await mkdir(join(staging.tree, 'fresh', 'inner'), { recursive: true });
  await writeFile(join(staging.tree, 'both', 'a'), 'new a');
  await writeFile(join(staging.tree, 'both', 'b'), 'new b');
  await link(join(staging.tree, 'both', 'b'), join(staging.tree, 'both', 'b-again'));
  await writeFile(join(staging.tree, 'c'), 'new c');
  await writeFile(join(staging.tree, 'fresh', 'inner', 'd'), 'new d');
  const { moves } = await planMoves(staging.tree, order(target));
  return { staging, journal: { made: await missingDirectories(target), moves }, target };
}

const complete = {
  both: 'directory',
  'both/a': 'new a',
  'both/b': 'new b',
  'both/b-again': 'new b',
  'both/mine': 'mine',
  c: 'new c',
  fresh: 'directory',
  'fresh/inner': 'directory',
  'fresh/inner/d': 'new d',
};
const before = { both: 'directory', 'both/a': 'old a', 'both/mine': 'mine', c: 'old c' };

/** Does the first moves, and as much of the next one as a process might before it dies. */
async function stopAt(
  { staging, journal }: Awaited<ReturnType<typeof scene>>,
  [done, step]: [number, number],
) {
  await perform(staging, { made: journal.made, moves: journal.moves.slice(0, done) });
  const next = journal.moves[done];
  if (!next || step === 0) return;
  if (next.replace) await rename(next.to, join(staging.aside, `${done}`));
  if (step === 2 && !(await look(next.from))?.isDirectory()) await link(next.from, next.to);
}

const everyPoint = Array.from({ length: 18 }, (_, n): [number, number] => [Math.floor(n / 3), n % 3]);

test.each(everyPoint)('stopped after %i moves and step %i: it can be finished', async (done, step) => {
  const at = await scene();
  expect(at.journal.moves.length).toBe(5);
  await stopAt(at, [done, step]);
  await perform(at.staging, at.journal);
  expect(await contentOf(at.target)).toEqual(complete);
  await removeStaging(at.staging.folder);
  expect(await look(at.staging.folder)).toBeNull();
});

test.each(everyPoint)('stopped after %i moves and step %i: it can be taken back', async (done, step) => {
  const at = await scene();
  await stopAt(at, [done, step]);
  await undo(at.staging, at.journal);
  await undo(at.staging, at.journal);
  expect(await contentOf(at.target)).toEqual(before);
});

test('what came into being meanwhile is not overwritten', async () => {
  const at = await scene();
  await writeFile(join(at.target, 'both', 'b'), 'somebody else');
  await expect(perform(at.staging, at.journal)).rejects.toThrow(/came into being/);
  await undo(at.staging, at.journal);
  expect(await contentOf(at.target)).toEqual({ ...before, 'both/b': 'somebody else' });
});

test('a journal comes back as it was written, with every name; null once it is gone', async () => {
  const at = await scene();
  const odd = { made: ['/x\ny'], moves: [{ from: '/bad\udcff', to: '/ü', replace: true }] };
  await writeJournal(at.staging, odd);
  expect(await readJournal(at.staging)).toEqual(odd);
  await removeStaging(at.staging.folder);
  expect(await readJournal(at.staging)).toBeNull();
});
