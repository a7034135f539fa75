import {
  chmod,
  cp,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RestoreOrder } from '../../../src/backup/restore/restore.rules.js';
import { type Journal, readJournal, writeJournal } from '../../../src/backup/restore/stage/journal.fs.js';
import { localStage } from '../../../src/backup/restore/stage/local-stage.js';
import { planMoves } from '../../../src/backup/restore/stage/move-plan.fs.js';
import { missingDirectories, perform, undo } from '../../../src/backup/restore/stage/moves.fs.js';
import {
  closeStaging,
  makeStaging,
  openStaging,
  removeStaging,
  type Staging,
} from '../../../src/backup/restore/stage/staging.fs.js';
import { look } from '../../../src/backup/restore/stage/target-files.fs.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moves-'));
});
afterEach(async () => {
  for (const each of open.splice(0)) await closeStaging(each);
  await rm(folder, { recursive: true, force: true });
});

const open: Staging[] = [];

const order = (destination: string): RestoreOrder => ({
  repositoryId: 1,
  archive: 'a',
  archiveId: '',
  paths: [],
  destination,
  stripComponents: 0,
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
  open.push(staging);
  const tree = join(staging.path, 'tree');
  await mkdir(join(tree, 'both'));
  await mkdir(join(tree, 'fresh', 'inner'), { recursive: true });
  await writeFile(join(tree, 'both', 'a'), 'new a');
  await writeFile(join(tree, 'both', 'b'), 'new b');
  await link(join(tree, 'both', 'b'), join(tree, 'both', 'b-again'));
  await writeFile(join(tree, 'c'), 'new c');
  await writeFile(join(tree, 'fresh', 'inner', 'd'), 'new d');
  const modes = new Map([
    ['fresh', 0o000],
    ['fresh/inner', 0o311],
  ]);
  const plan = await planMoves({ tree, modes }, order(target));
  const journal = { made: await missingDirectories(target), moves: plan.moves, modes: plan.modes };
  return { staging, journal, target };
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
  await perform(staging, { ...journal, modes: [], moves: journal.moves.slice(0, done) });
  const next = journal.moves[done];
  if (!next || step === 0) return;
  const from = join(staging.path, 'tree', next.from);
  if (next.replace) await rename(next.to, join(staging.path, 'aside', `${done}`));
  if (step === 2 && !(await look(from))?.isDirectory()) await link(from, next.to);
}

/** Of the two directories that forbid their owner something. */
async function modesOf(target: string): Promise<number[]> {
  const outer = Number((await look(join(target, 'fresh')))?.mode ?? 0) & 0o7777;
  await chmod(join(target, 'fresh'), 0o700);
  const inner = Number((await look(join(target, 'fresh', 'inner')))?.mode ?? 0) & 0o7777;
  return [outer, inner];
}

const everyPoint = Array.from({ length: 18 }, (_, n): [number, number] => [Math.floor(n / 3), n % 3]);

test.each(everyPoint)('can be finished when stopped after %i moves and step %i', async (done, step) => {
  const at = await scene();
  expect(at.journal.moves.length).toBe(5);
  await stopAt(at, [done, step]);
  await perform(at.staging, at.journal);
  await perform(at.staging, at.journal);
  expect(await modesOf(at.target)).toEqual([0o000, 0o311]);
  await chmod(join(at.target, 'fresh'), 0o755);
  await chmod(join(at.target, 'fresh', 'inner'), 0o755);
  expect(await contentOf(at.target)).toEqual(complete);
  await removeStaging(at.staging.path);
  expect(await look(at.staging.path)).toBeNull();
});

test.each(everyPoint)('can be undone when stopped after %i moves and step %i', async (done, step) => {
  const at = await scene();
  await stopAt(at, [done, step]);
  await undo(at.staging, at.journal);
  await undo(at.staging, at.journal);
  expect(await contentOf(at.target)).toEqual(before);
});

test('does not overwrite new files', async () => {
  const at = await scene();
  await writeFile(join(at.target, 'both', 'b'), 'somebody else');
  await expect(perform(at.staging, at.journal)).rejects.toThrow(/appeared while/);
  await undo(at.staging, at.journal);
  expect(await contentOf(at.target)).toEqual({ ...before, 'both/b': 'somebody else' });
});

test('reads a journal with every name, and null once removed', async () => {
  const at = await scene();
  const odd: Journal = {
    made: ['/x\ny'],
    moves: [{ from: 'bad\udcff', to: '/ü', replace: true }],
    modes: [['/ü/x', 0o311]],
  };
  await writeJournal(at.staging, odd);
  expect(await readJournal(at.staging)).toEqual(odd);
  await removeStaging(at.staging.path);
  expect(await readJournal(at.staging)).toBeNull();
});

describe('a target that its owner changes during the restore', () => {
  /** What belongs to somebody else. */
  async function victim(): Promise<string> {
    const path = join(folder, 'victim');
    await mkdir(path);
    await writeFile(join(path, 'a'), 'of the victim');
    return path;
  }
  const untouched = { a: 'of the victim' };

  test('writes nothing through a folder replaced by a symlink and undoes everything', async () => {
    const at = await scene();
    const elsewhere = await victim();
    await rename(join(at.target, 'both'), join(at.target, 'hidden'));
    await symlink(elsewhere, join(at.target, 'both'));
    await expect(perform(at.staging, at.journal)).rejects.toThrow(/no longer a directory, or a symlink/);
    await undo(at.staging, at.journal);
    expect(await contentOf(elsewhere)).toEqual(untouched);
  });

  test('keeps the copy in the working folder if a symlink appears before the undo', async () => {
    const at = await scene();
    const elsewhere = await victim();
    await perform(at.staging, { ...at.journal, modes: [] });
    await rename(join(at.target, 'both'), join(at.target, 'hidden'));
    await symlink(elsewhere, join(at.target, 'both'));
    await expect(undo(at.staging, at.journal)).rejects.toThrow(/no longer a directory, or a symlink/);
    expect(await contentOf(elsewhere)).toEqual(untouched);
    expect(await readFile(join(at.target, 'c'), 'utf8')).toBe('old c');
    expect(await readdir(join(at.staging.path, 'aside'))).toHaveLength(1);
  });

  test('uses and removes the moved working folder', async () => {
    const at = await scene();
    const elsewhere = await victim();
    await rename(at.staging.path, join(at.target, 'gone'));
    await mkdir(at.staging.path);
    await symlink(elsewhere, join(at.staging.path, 'tree'));
    await symlink(elsewhere, join(at.staging.path, 'aside'));
    await perform(at.staging, { ...at.journal, modes: [] });
    await removeStaging(at.staging.path, at.staging);
    expect(await contentOf(elsewhere)).toEqual(untouched);
    expect(await readFile(join(at.target, 'both', 'a'), 'utf8')).toBe('new a');
    expect(await readdir(join(at.target, 'gone'))).toEqual([]);
    expect(await readdir(at.staging.path)).toEqual(['aside', 'tree']);
  });

  test.each(['another mode', 'another inode', 'a symlink'])('refuses %s on a later look', async (how) => {
    const at = await scene();
    await writeJournal(at.staging, at.journal);
    const real = join(at.target, 'real');
    await rename(at.staging.path, real);
    if (how === 'a symlink') await symlink(real, at.staging.path);
    else await cp(real, at.staging.path, { recursive: true });
    if (how === 'another mode') await chmod(at.staging.path, 0o755);
    if (how === 'another inode') await chmod(at.staging.path, 0o700);
    const stage = localStage(at.staging.path);
    await expect(stage.perform()).rejects.toThrow(/is not the working folder of this restore/);
    await expect(stage.undo()).rejects.toThrow(/is not the working folder/);
    await stage.close();
    expect(await readFile(join(at.target, 'both', 'a'), 'utf8')).toBe('old a');
  });

  test('removes without following symlinks or failing on closed directories', async () => {
    const at = await scene();
    const elsewhere = await victim();
    const tree = join(at.staging.path, 'tree');
    await symlink(elsewhere, join(tree, 'way'));
    await chmod(join(tree, 'fresh', 'inner'), 0o000);
    await removeStaging(at.staging.path);
    expect(await look(at.staging.path)).toBeNull();
    expect(await openStaging(at.staging.path)).toBeNull();
    expect(await contentOf(elsewhere)).toEqual(untouched);
  });
});
