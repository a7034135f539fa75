#!/usr/bin/env node
/**
 * Part of `npm run lint`: texts that people read must follow `docs/contributing/style.md`. `--count` prints a total for
 * each pattern. Takes the root of a checkout; default: this one.
 */
import { root } from './prepare/root.mjs';
import { patterns } from './words/patterns.mjs';
import { textsOf } from './words/texts.mjs';

const parameters = process.argv.slice(2);
const checkout = parameters.find((each) => !each.startsWith('--')) ?? root;
const found = textsOf(checkout).flatMap(problemsOf);

if (parameters.includes('--count')) {
  for (const [pattern] of patterns)
    console.log(`${pattern}: ${found.filter((each) => each.pattern === pattern).length}`);
} else {
  for (const { file, line, pattern, text } of found) console.error(`${file}:${line}: ${pattern}: ${text}`);
  process.exitCode = found.length > 0 ? 1 : 0;
}

function problemsOf({ kind, file, line, text }) {
  const shown = text.replace(/\s+/g, ' ').trim();
  return patterns
    .filter(([, expression, kinds]) => kinds.includes(kind) && expression.test(shown))
    .map(([pattern]) => ({ file, line, pattern, text: shown.slice(0, 120) }));
}
