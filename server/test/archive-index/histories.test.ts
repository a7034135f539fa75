import { type ArchiveEntry, canonicalPath } from '@holdfast/plugin-api/driver';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { archive, directory, entry, indexWorld, repository, stream } from './index-world.js';
import { listingOf, Model } from './model.js';

const paths = [
  'a',
  'a/b',
  'a/b/report.doc',
  'a/b/report.doc.locked',
  'a/b/report.pdf',
  'a/b/report.tar.gz',
  './a//c',
  'd/caf\u00e9.txt',
  'd/cafe\u0301.txt',
  'd/\udcff\udc80',
  'd/\u{10fffd}x\u{1f600}',
  'd/100%_"quoted"',
  'd/\u0130\u03a3 \u03c2.TXT',
  'e/f/g/h/i/deep',
  'Z',
];

const content = fc.record({
  type: fc.constantFrom<ArchiveEntry['type']>('file', 'file', 'file', 'symlink', 'other', 'directory'),
  size: fc.nat(2),
  mtime: fc.integer({ min: -1, max: 1 }).map((n) => n * 1_000 + 0.5),
  healthy: fc.boolean(),
});
/** Rarely another content, so that archives are alike. */
const generated = fc.record({
  files: fc.array(fc.record({ path: fc.constantFrom(...paths), content }), { maxLength: 12 }),
  isInOrder: fc.boolean(),
  linked: fc.option(fc.record({ path: fc.constantFrom('l/one', 'Z', 'a/b'), target: fc.nat(11) })),
});

function entriesOf({ files, isInOrder, linked }: typeof generated extends fc.Arbitrary<infer T> ? T : never) {
  const entries = files.map(({ path, content: { type, ...rest } }) =>
    type === 'directory'
      ? directory(path, rest.mtime)
      : entry(path, { type, ...rest, symlinkTarget: type === 'symlink' ? `to ${rest.size}` : null }),
  );
  if (isInOrder) entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  const target = linked && files[linked.target]?.path;
  if (linked && target) entries.push(entry(linked.path, { size: 0, hardLinkTarget: target }));
  return entries;
}

/** A directory of the name would have taken the file's place. */
function linkedToFiles(entries: ArchiveEntry[]): ArchiveEntry[] {
  const listing = listingOf(entries);
  return entries.filter(
    ({ hardLinkTarget: target }) =>
      target === null || listing.get(canonicalPath(target))?.type !== 'directory',
  );
}

const step = fc.record({
  day: fc.integer({ min: 1, max: 12 }),
  series: fc.constantFrom('daily', 'daily', 'daily', 'other'),
  archive: generated,
  /** From the archive before it. */
  kept: fc.nat(10),
  removes: fc.array(fc.nat(9), { maxLength: 2 }),
});

test('answers as listings kept in memory do', { timeout: 120_000 }, async () => {
  const runs = Number(process.env.TEST_RUNS ?? 10);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 9 }), async (steps) => {
      const world = indexWorld();
      try {
        const index = await world.indexes.open(repository);
        const model = new Model();
        let last: ArchiveEntry[] = [];
        for (const { day, series, archive: made, kept, removes } of steps) {
          const toolId = `${series}-${day}`;
          const added = archive(day, { toolId, name: `${series}-2030-${day}` });
          if (series === 'other') added.start += 1;
          const entries = linkedToFiles([
            ...last.slice(0, Math.round((kept / 10) * last.length)),
            ...entriesOf(made),
          ]);
          const result = await index.add(added, stream(entries, 3));
          expect(await index.find(toolId)).toEqual(result);
          if (model.ids.includes(toolId)) continue;
          last = entries;
          expect(withoutExamples(result)).toEqual(withoutExamples(model.add(added, entries)));
          const removed = removes.flatMap((n) => model.ids[n] ?? []);
          if (removes.length > 1) {
            await index.remove([...removed, 'unknown']);
            model.remove(removed);
          }
        }
        await compare(index, model);
        expect(world.warnings).toEqual([]);
      } finally {
        await world.end();
      }
    }),
    { numRuns: runs, endOnFailure: process.env.TEST_SHRINK !== '1' },
  );
});

type Index = Awaited<ReturnType<ReturnType<typeof indexWorld>['indexes']['open']>>;
type Result = Awaited<ReturnType<Index['add']>>;

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);

const withoutExamples = (result: Result) =>
  result?.delta
    ? {
        ...result,
        delta: {
          ...result.delta,
          folders: result.delta.folders.map((each) => ({ ...each, examples: [] })).sort(byPath),
        },
      }
    : result;

async function compare(index: Index, model: Model): Promise<void> {
  expect((await index.archives()).map(({ toolId }) => toolId)).toEqual(model.ids);
  for (const toolId of model.ids) {
    const entries: ArchiveEntry[] = [];
    for await (const batch of index.entries(toolId)) entries.push(...batch);
    expect(sorted(listingOf(entries))).toEqual(sorted(model.listing(toolId)));
  }
  for (const path of [...paths, 'nothing', 'a/nothing', 'l', 'd', 'e/f/g']) {
    if (!path.startsWith('./'))
      expect([path, await index.history(path)]).toEqual([path, model.history(path)]);
  }
  await compareSearches(index, model);
  const some = model.ids.filter((_, n) => n % 2 === 0);
  for (const removed of [some, model.ids.slice(1), model.ids, ['unknown']])
    await compareLost(index, model, removed);
  for (const before of model.ids)
    for (const after of model.ids) await comparePair(index, model, before, after);
}

const sorted = (listing: Map<string, unknown>) => [...listing].sort(([a], [b]) => (a < b ? -1 : 1));

async function compareSearches(index: Index, model: Model): Promise<void> {
  const escapedName = (name: string) =>
    name.replace(/[\udc80-\udcff]/gu, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
  const fold = (text: string) => text.normalize('NFC').toLowerCase();
  const texts = [
    '',
    'a',
    '%',
    '_',
    'report',
    '.TXT',
    'CAF\u00c9.',
    '\\udcff\\',
    '"quo',
    '\u03c3 \u03c3',
    'i\u0307',
    'xyz',
  ];
  const filters = [
    {},
    { deleted: true },
    { type: 'file' as const, minSize: 1 },
    { maxSize: 1, since: 0, until: 1_000 },
    { deleted: true, type: 'directory' as const },
  ];
  for (const text of texts) {
    for (const filter of filters) {
      const matches = (_: string, name: string) => fold(escapedName(name)).includes(fold(text));
      const search = { literal: text.normalize('NFC'), matches, ...filter };
      const found: string[] = [];
      let after: number | null = 0;
      while (after !== null) {
        const page = await index.search({ ...search, after, limit: 3 });
        expect(page.items.length === 3 || page.next === null).toBe(true);
        for (const { path, versions } of page.items) {
          expect([path, versions]).toEqual([path, model.history(path)]);
          found.push(path);
        }
        after = page.next;
      }
      expect([text, filter, found.sort()]).toEqual([
        text,
        filter,
        model.search({ ...search, limit: 3 }).sort(),
      ]);
    }
  }
}

async function compareLost(index: Index, model: Model, removed: string[]): Promise<void> {
  const { files, bytes, largest, folders } = await index.lost(removed);
  const expected = model.lost(removed);
  expect({ removed, files, bytes }).toEqual({ removed, files: expected.files, bytes: expected.bytes });
  for (const { path, size, archive: toolId } of largest)
    expect([size, toolId]).toEqual(expected.each.get(path));
  expect(largest.length).toBe(Math.min(20, files));
  expect(folders.reduce((sum, each) => sum + each.files, 0)).toBe(files);
  for (const folder of folders) {
    const inside = [...expected.each.keys()].filter((path) => path.startsWith(`${folder.path}/`));
    if (
      folder.path !== '' &&
      !folders.some(({ path }) => path !== folder.path && path.startsWith(`${folder.path}/`))
    )
      expect(inside.length).toBe(folder.files);
  }
}

async function comparePair(index: Index, model: Model, before: string, after: string): Promise<void> {
  const expected = model.changes(before, after);
  const { items, ...counts } = await index.changes({ before, after }, { offset: 0, limit: 1000 });
  expect(sorted(new Map(items.map((each) => [each.path, [each.before, each.after]])))).toEqual(
    sorted(expected),
  );
  expect(counts.added + counts.removed + counts.changed).toBe(expected.size);
  const page = await index.changes({ before, after }, { offset: 1, limit: 2 });
  expect(page).toEqual({ ...counts, items: items.slice(1, 3) });
  for (const parent of ['', 'a', 'e/f', 'nothing']) {
    const growth = await index.growth({ before, after, parent });
    const found = new Map(growth.map(({ path, ...sum }) => [path, sum]));
    expect([parent, sorted(found)]).toEqual([parent, sorted(model.growth(before, after, parent))]);
  }
}
