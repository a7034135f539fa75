#!/usr/bin/env node
/**
 * Part of `npm run lint`: refuses a function of the console that is longer than 80 lines. Takes the root of a checkout;
 * default: this one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root as here } from './prepare/root.mjs';

const most = 80;
const source = join(process.argv[2] ?? here, 'console/src');
let functions = 0;
for (const file of readdirSync(source, { recursive: true }).filter((name) => /\.tsx?$/.test(name))) {
  const tree = ts.createSourceFile(file, readFileSync(join(source, file), 'utf8'), ts.ScriptTarget.Latest);
  const lineOf = (position) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node) => {
    if (ts.isFunctionLike(node)) {
      functions += 1;
      const start = lineOf(node.getStart(tree));
      const lines = lineOf(node.end) - start + 1;
      if (lines > most) {
        console.error(
          `console/src/${file}:${start}: ${lines} lines: take out a part that has a name of its own`,
        );
        process.exitCode = 1;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
}
if (!process.exitCode) console.log(`${functions} functions of at most ${most} lines`);
