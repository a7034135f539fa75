/** No page has a command that no test runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allPages, blocksOf, elsewhere, pasted } from './documented.js';

const root = join(import.meta.dirname, '..', '..');
const entriesFor = (page: string, block: string) =>
  elsewhere.filter(([of, text]) => of === page && block.includes(text));

test('finds a test for each block of commands', () => {
  const blocks = allPages().flatMap((page) => blocksOf(page).map((block) => ({ page, block })));
  expect(blocks.length).toBeGreaterThan(60);
  const untested = blocks.filter(
    ({ page, block }) => !pasted.includes(page) && entriesFor(page, block).length === 0,
  );
  expect(untested.map(({ page, block }) => `${page}: ${block.split('\n')[0]}`)).toEqual([]);
});

test.each(elsewhere)('finds the block of %s with %s and its test', (page, text, by) => {
  expect(blocksOf(page).filter((block) => block.includes(text))).not.toEqual([]);
  // Of what no test can run, the rest of the sentence says why.
  const [file = ''] = /^\S+\.ts$/.exec(by) ?? [];
  if (!file) return expect(by).toMatch(/\w \w/);
  const program = readFileSync(join(root, file), 'utf8');
  const readsPage = program.includes(`${page.split('/').at(-1)}.md`);
  const words = text.match(/[a-z-]+/g)?.filter((word) => /^[a-z]/.test(word) && word !== 'holdfast') ?? [];
  expect(
    words.filter((word) => !readsPage && text.startsWith('holdfast ') && !program.includes(word)),
  ).toEqual([]);
});
