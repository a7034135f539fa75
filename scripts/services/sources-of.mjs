import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../prepare/root.mjs';

const relativeImport = /(?:from|import)\s*\(?\s*'(\.[^']+)'|new URL\('(\.[^']+\.m?[jt]s)'/g;

/**
 * The texts of these files and of everything that they reach by relative paths, except through the files in
 * `without`.
 */
export function sourcesOf(files, { without = [] } = {}) {
  const seen = new Set(without.map((file) => join(root, file)));
  const texts = [];
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || !existsSync(file)) continue;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    texts.push(text);
    for (const [, imported, named] of text.matchAll(relativeImport)) {
      const path = resolve(file, '..', imported ?? named);
      // Sources are imported by the names that they have after compilation.
      waiting.push(existsSync(path) ? path : path.replace(/\.js$/, '.ts'));
    }
  }
  return texts;
}
