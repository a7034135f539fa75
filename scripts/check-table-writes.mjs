#!/usr/bin/env node
/**
 * Part of `npm run lint`: only the room that owns a table writes it. Other rooms read it, and call the owner to
 * change it. Takes the root of a checkout; default: this one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { root } from './prepare/root.mjs';

const sources = join(process.argv[2] ?? root, 'core', 'src');
const files = readdirSync(sources, { recursive: true }).filter(
  (file) => file.endsWith('.ts') && !/^schema\b/.test(file),
);
const problems = files.flatMap((file) => [...foreignWrites(file)]);
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} writes to tables of other rooms`);
process.exitCode = problems.length === 0 ? 0 : 1;

function* foreignWrites(file) {
  const text = readFileSync(join(sources, file), 'utf8');
  const roomOf = importedTables(file, text);
  const [own] = file.split(sep);
  for (const [call, table] of text.matchAll(/\.(?:insert|update|remove)\(\s*(\w+)/g)) {
    const room = roomOf.get(table);
    if (room === undefined || room === own) continue;
    const line = text.slice(0, text.indexOf(call)).split('\n').length;
    yield `core/src/${file}:${line}: ${table} belongs to ${room}: call what core/src/${room}/index.ts offers`;
  }
}

/** The room of each table that a file imports. */
function importedTables(file, text) {
  const rooms = new Map();
  for (const [, names, from] of text.matchAll(/^import \{([^}]*)\} from '([^']*\/tables)\.js';/gm)) {
    const [room] = relative(sources, join(sources, dirname(file), from)).split(sep);
    for (const name of names.split(',')) rooms.set(name.trim(), room);
  }
  return rooms;
}
