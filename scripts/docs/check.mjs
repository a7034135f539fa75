import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { deadLinks } from './links.mjs';
import { readPage } from './markdown.mjs';
import { sections } from './sections.mjs';

const skipped = /^(node_modules|dist|\.cache|\.git)$/;

export function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && !skipped.test(entry.name)) yield* filesBelow(path);
  }
}

/** A sentence for each dead link in the pages of a checkout, and for each page that the sidebar lacks. */
export function problemsOf(checkout) {
  const names = [...filesBelow(checkout)].map((path) => relative(checkout, path).replaceAll('\\', '/'));
  const files = names.filter((file) => file.endsWith('.md'));
  const listed = ['docs/index.md', ...Object.values(sections).flat()];
  const unlisted = files.filter(
    (file) => /^docs\/(?!contributing\/decisions\/)/.test(file) && !listed.includes(file),
  );
  return [
    ...deadLinks(
      checkout,
      files.map((file) => readPage(checkout, file)),
    ),
    ...unlisted.map((file) => `${file}: the sidebar in scripts/docs/sections.mjs does not list this page`),
  ];
}
