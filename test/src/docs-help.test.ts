import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage } from '../../scripts/docs/markdown.mjs';
import { root } from './import-check.js';

const source = readFileSync(join(root, 'console/src/routes.ts'), 'utf8');
const screens = [...source.matchAll(/helpedBy\('([^']+)', \[([\s\S]*?)\]\),\n/g)].flatMap(
  ([, help = '', rows = '']) =>
    [...rows.matchAll(/\[\s*'(\/[^']*)',/g)].map(([, path = '']) => [path, help] as const),
);

test('finds the page of each screen in the table', () => {
  // The first one comes with the page.
  expect(screens.length).toBe([...source.matchAll(/\bimport\('/g)].length + 1);
  expect(screens.length).toBeGreaterThan(40);
});

test.each(screens)('opens help for %s at %s', (_path, help) => {
  const [, page, anchor] = /^([\w/-]+)\.html(?:#(.+))?$/.exec(help) ?? [];
  const file = `docs/${page}.md`;
  expect(existsSync(join(root, file))).toBe(true);
  if (anchor) expect(readPage(root, file).headings.map(({ id }) => id)).toContain(anchor);
});
