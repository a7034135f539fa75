import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Source } from '@holdfast/plugin-api/source';
import { afterEach, expect, test } from 'vitest';
import type { DrillWork } from '../../src/backup/drills/drill-work.js';
import type { DrillsNeeds } from '../../src/backup/drills/needs.js';
import { dumpScratch, removeScratch } from '../../src/backup/drills/scratch.fs.js';
import { tryDumps } from '../../src/backup/drills/try-dumps.js';

const dataDirectory = `/no/such/folder of ${process.pid}`;
const folder = dumpScratch(dataDirectory, 1);
let writing = true;
let written: Promise<unknown>;
afterEach(async () => {
  writing = false;
  await written;
  await removeScratch(dataDirectory, 1);
});

/** Like a server that takes its time to end. */
async function keepWriting(at: string): Promise<void> {
  for (let n = 0; writing; n++) await writeFile(join(at, `${n % 100}`), '').catch(() => {});
}

test('keeps the result of a dump when a late server still writes', async () => {
  const prove: Source['prove'] = async (_settings, _dump, context) => {
    const writers = Array.from({ length: 4 }, () => keepWriting(context.folder));
    written = Promise.all(writers);
    return { passed: true, text: 'Restored.', tables: 2, rows: 3 };
  };
  const work = {
    context: {
      signal: new AbortController().signal,
      progress: () => {},
      log: () => {},
      repository: { sources: [] },
    },
    target: {},
    options: {},
    archive: 'nightly',
    folder,
  } as unknown as DrillWork & { archive: string; folder: string };
  const needs = {
    programs: { name: 'here' },
    redactor: { redact: (text: string) => text },
  } as unknown as DrillsNeeds;
  const entry = { path: 'holdfast-sources/kind/shop/shop', type: 'file', size: 1, mtime: 0 };
  const dump = { place: { kind: 'kind', source: 'shop', name: 'shop' }, prove, entry, path: entry.path };
  const results = await tryDumps(needs, work, [dump as never]);
  expect(results.map(({ verdict, reason }) => [verdict, reason?.code])).toEqual([
    ['passed', 'drill_dump_counted'],
  ]);
});
