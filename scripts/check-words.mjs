#!/usr/bin/env node
/**
 * Part of `npm run lint`: texts that people read must follow `docs/contributing/style.md`. `scripts/words-allowed.json`
 * counts the phrases that are older than this check, by file and pattern. Counts may only fall: `--write` lowers them,
 * and records everything only if that file is missing. `--count` prints a total for each pattern. Takes the root of a
 * checkout; default: this one.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';
import { patterns } from './words/patterns.mjs';
import { textsOf } from './words/texts.mjs';

const parameters = process.argv.slice(2);
const checkout = parameters.find((each) => !each.startsWith('--')) ?? root;
const list = join(checkout, 'scripts', 'words-allowed.json');
const isNew = !existsSync(list);
const allowed = isNew ? {} : JSON.parse(readFileSync(list, 'utf8'));

const found = textsOf(checkout).flatMap(problemsOf);
const counts = countsOf(found);
const allowedFor = ({ file, pattern }) => allowed[file]?.[pattern] ?? 0;
const tooMany = found.filter((each) => counts[each.file][each.pattern] > allowedFor(each));
const outdated = Object.entries(allowed).flatMap(([file, byPattern]) =>
  Object.entries(byPattern)
    .filter(([pattern, count]) => (counts[file]?.[pattern] ?? 0) < count)
    .map(() => file),
);

if (parameters.includes('--count')) {
  for (const [pattern] of patterns)
    console.log(`${pattern}: ${found.filter((each) => each.pattern === pattern).length}`);
} else if (parameters.includes('--write')) {
  writeFileSync(list, `${JSON.stringify(isNew ? counts : lowered(), null, 2)}\n`);
  console.log(`${found.length} phrases in ${Object.keys(counts).length} files`);
} else {
  for (const { file, line, pattern, text } of tooMany) console.error(`${file}:${line}: ${pattern}: ${text}`);
  for (const file of new Set(outdated))
    console.error(`${file}: fewer phrases than allowed. Run node scripts/check-words.mjs --write.`);
  console.log(`${found.length} phrases in ${Object.keys(counts).length} files, ${tooMany.length} too many`);
  process.exitCode = tooMany.length + outdated.length > 0 ? 1 : 0;
}

function problemsOf({ kind, file, line, text }) {
  const shown = text.replace(/\s+/g, ' ').trim();
  return patterns
    .filter(([, expression, kinds]) => kinds.includes(kind) && expression.test(shown))
    .map(([pattern]) => ({ file, line, pattern, text: shown.slice(0, 120) }));
}

/** By file and pattern, both sorted. */
function countsOf(problems) {
  const result = {};
  const sorted = problems.toSorted((a, b) => compare(a.file, b.file) || compare(a.pattern, b.pattern));
  for (const { file, pattern } of sorted) {
    result[file] ??= {};
    result[file][pattern] = (result[file][pattern] ?? 0) + 1;
  }
  return result;
}

function lowered() {
  const files = Object.entries(allowed).map(([file, byPattern]) => [
    file,
    Object.fromEntries(
      Object.entries(byPattern)
        .map(([pattern, count]) => [pattern, Math.min(count, counts[file]?.[pattern] ?? 0)])
        .filter(([, count]) => count > 0),
    ),
  ]);
  return Object.fromEntries(files.filter(([, byPattern]) => Object.keys(byPattern).length > 0));
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
