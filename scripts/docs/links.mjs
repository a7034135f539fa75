import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from './markdown.mjs';

/** A sentence for each link or picture of these pages that leads nowhere. */
export function deadLinks(checkout, pages) {
  const known = new Map(pages.map((page) => [page.file, page]));
  const pageAt = (path) => {
    if (!known.has(path)) known.set(path, readPage(checkout, path));
    return known.get(path);
  };
  const problemOf = ({ path, id }) => {
    if (path === null) return null;
    if (path.startsWith('/') || path.startsWith('../')) return 'leads out of the repository';
    if (!existsSync(join(checkout, path))) return 'the file is missing';
    if (id === '' || !path.endsWith('.md')) return null;
    return pageAt(path).headings.some((heading) => heading.id === id) ? null : 'no heading has this anchor';
  };
  return pages.flatMap((page) =>
    page.references.flatMap((reference) => {
      const problem = problemOf(reference);
      return problem === null ? [] : [`${page.file}:${reference.line}: ${reference.address}: ${problem}`];
    }),
  );
}
