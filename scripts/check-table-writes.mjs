#!/usr/bin/env node
/**
 * Part of `npm run lint`: only the module that owns a table writes it. Other modules read it, and call the
 * owner to change it. Takes the root of a checkout; default: this one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { root } from './prepare/root.mjs';

const sources = join(process.argv[2] ?? root, 'core', 'src');
const files = readdirSync(sources, { recursive: true }).filter(
  (file) => file.endsWith('.ts') && !/^app.schema\b/.test(file),
);
const textOf = (file) => readFileSync(join(sources, file), 'utf8');
const moduleOf = (file) => file.split(sep)[1];
/** Modules whose rows are declared in a lower wing, because jobs read them. */
const writers = { registry: 'repositories' };
const owners = new Map(
  files
    .filter((file) => basename(file) === 'tables.ts')
    .flatMap((file) => {
      const module = writers[moduleOf(file)] ?? moduleOf(file);
      const tables = textOf(file).matchAll(/^export const (\w+) = entity\(/gm);
      return [...tables].map(([, table]) => [table, module]);
    }),
);
const problems = files.flatMap((file) => [...foreignWrites(file)]);
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} writes to tables of other modules`);
process.exitCode = problems.length === 0 ? 0 : 1;

function* foreignWrites(file) {
  const text = textOf(file);
  for (const [call, table] of text.matchAll(/\.(?:insert|update|remove)\(\s*(\w+)/g)) {
    const module = owners.get(table);
    const imported = new RegExp(`^import [^;]*\\b${table}\\b[^;]* from`, 'm').test(text);
    if (module === undefined || module === moduleOf(file) || !imported) continue;
    const line = text.slice(0, text.indexOf(call)).split('\n').length;
    yield `core/src/${file}:${line}: ${table} belongs to ${module}: use the index of ${module}`;
  }
}
