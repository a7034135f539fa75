#!/usr/bin/env node
/**
 * `node scripts/architecture.mjs [--check]`: updates the picture of core's wings and the table of their modules
 * in `docs/contributing/architecture.md` from the imports and from the sentence at the top of each module's `index.ts`.
 * With `--check` a difference is a failure.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { root } from './prepare/root.mjs';

const { forbidden } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs'));
const core = join(root, 'core/src');
const wings = forbidden
  .filter(({ name }) => name === 'wings-downwards')
  .map(({ from }) => /core\/src\/([\w-]+)\//.exec(from.path)[1]);
const modulesOf = (wing) =>
  readdirSync(join(core, wing)).filter((module) => existsSync(join(core, wing, module, 'index.ts')));
const arrows = arrowsBetween();

const page = join(root, 'docs', 'contributing', 'architecture.md');
const before = readFileSync(page, 'utf8');
const after = before.replace(
  /(<!-- modules -->\n)[\s\S]*(<!-- end of modules -->)/,
  (_, begin, end) => `${begin}\n${picture()}\n\n${table()}\n\n${end}`,
);
if (!process.argv.includes('--check')) writeFileSync(page, after);
else if (before !== after) {
  console.error('docs/contributing/architecture.md is out of date: run `npm run generate`.');
  process.exitCode = 1;
} else console.log(`${wings.length} wings, as docs/contributing/architecture.md shows them`);

/** How many imports lead from one wing to another, by `from --> to`. */
function arrowsBetween() {
  const found = new Map();
  for (const file of readdirSync(core, { recursive: true })) {
    const [wing] = file.split(sep);
    if (!file.endsWith('.ts') || !wings.includes(wing)) continue;
    const text = readFileSync(join(core, file), 'utf8');
    for (const [, to] of text.matchAll(/from '(?:\.\.\/)+([\w-]+)\/[^']*'/g)) {
      if (!wings.includes(to) || to === wing) continue;
      found.set(`${wing} --> ${to}`, (found.get(`${wing} --> ${to}`) ?? 0) + 1);
    }
  }
  return found;
}

/** With the numbers of imports. */
function picture() {
  const between = wings.flatMap((from) => wings.map((to) => [from, to, arrows.get(`${from} --> ${to}`)]));
  const lines = between
    .filter(([, , count]) => count)
    .map(([from, to, count]) => `  ${from} -->|${count}| ${to}`);
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n');
}

function table() {
  const rows = wings.flatMap((wing) =>
    modulesOf(wing).map((module) => [`\`${wing}\``, `\`${module}\``, sentenceOf(join(wing, module))]),
  );
  const widths = [0, 1, 2].map((column) => Math.max(5, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(['Wing', 'Module', 'What it does']), rule, ...rows.map(line)].join('\n');
}

function sentenceOf(module) {
  const text = readFileSync(join(root, 'core/src', module, 'index.ts'), 'utf8');
  const [, sentence] = /^\/\*\* (.+) \*\/\n/.exec(text) ?? [];
  if (!sentence) throw new Error(`core/src/${module}/index.ts must begin with a sentence about the module.`);
  return sentence;
}
