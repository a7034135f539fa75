import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of the libraries to which bundled modules belong. Whoever redistributes a library must include its. */
export function licencesOf(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => folderOf(id) ?? []));
  return [...folders].sort().map(licenceOf).join('\n\n');
}

/** Bundlers put a NUL before the names of modules that they made themselves. */
const folderOf = (id) => /^\0?(\/.*\/node_modules\/(@[^/]+\/)?[^/]+)/.exec(id)?.[1];

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  const text = file ? readFileSync(join(folder, file), 'utf8') : '';
  return `${name} ${version}: ${license}\n\n${text}`.trim();
}
