#!/usr/bin/env node
/**
 * Part of `npm run lint`: compares the size of the service with `size-budget.json`. Counts lines of TypeScript in `src`,
 * without tests. A commit that needs more raises the budget and says why. Takes the root of a checkout; default: this one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root as here } from './prepare/root.mjs';

const root = process.argv[2] ?? here;
const plugins = readdirSync(join(root, 'plugins')).map((name) => `plugins/${name}`);
const sources = ['contracts', 'cli', 'core', 'server', ...plugins].flatMap(sourcesOf);
const core = sources.filter(({ folder }) => folder === 'core');
const modules = new Set(core.flatMap(({ file }) => moduleOf(file) ?? []));
const arrows = new Set(core.flatMap(arrowsFrom));
const possible = (modules.size * (modules.size - 1)) / 2;

const figures = {
  'source lines': sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0),
  'files in core': core.length,
  'arrows between modules, percent of possible': Math.round((100 * arrows.size) / possible),
};
const budget = JSON.parse(readFileSync(join(root, 'size-budget.json'), 'utf8'));
for (const [what, figure] of Object.entries(figures)) {
  const over = figure > budget[what];
  console[over ? 'error' : 'log'](`${what}: ${figure} of ${budget[what]}${over ? ': too much' : ''}`);
  if (over) process.exitCode = 1;
}

function sourcesOf(folder) {
  const place = join(root, folder, 'src');
  if (!existsSync(place)) return [];
  return readdirSync(place, { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ folder, file, text: readFileSync(join(place, file), 'utf8') }));
}

/** `wing/module`; undefined for a file outside of the modules. */
function moduleOf(file) {
  const [wing, module, inside] = file.split(sep);
  return inside === undefined ? undefined : `${wing}/${module}`;
}

function arrowsFrom({ file, text }) {
  const from = moduleOf(file);
  if (from === undefined) return [];
  const found = [...text.matchAll(/from '(\.\.?\/[^']*)\.js'/g)].map(([, path]) =>
    moduleOf(join(file, '..', path)),
  );
  return found.filter((to) => to !== undefined && to !== from).map((to) => `${from} --> ${to}`);
}
