#!/usr/bin/env node
/**
 * `node scripts/architecture.mjs [--check]`: updates the diagram and the table of core's rooms in
 * `docs/architecture.md` from the imports and from the sentence at the top of each room's `index.ts`. With `--check`
 * a difference is a failure.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';

const { forbidden } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs'));
const rooms = forbidden
  .filter(({ name }) => name === 'rooms-downwards')
  .map(({ from }) => /core\/src\/([\w-]+)\//.exec(from.path)[1]);
const sources = (room) =>
  readdirSync(join(root, 'core/src', room), { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, 'core/src', room, file), 'utf8'));
const uses = new Map(rooms.map((room) => [room, roomsIn(sources(room)).filter((other) => other !== room)]));

const page = join(root, 'docs', 'architecture.md');
const before = readFileSync(page, 'utf8');
const after = before.replace(
  /(<!-- rooms -->\n)[\s\S]*(<!-- end of rooms -->)/,
  (_, begin, end) => `${begin}\n${picture()}\n\n${table()}\n\n${end}`,
);
if (!process.argv.includes('--check')) writeFileSync(page, after);
else if (before !== after) {
  console.error('docs/architecture.md is out of date: run `npm run generate`.');
  process.exitCode = 1;
} else console.log(`${rooms.length} rooms, as docs/architecture.md shows them`);

function roomsIn(texts) {
  const imports = texts.flatMap((text) => [...text.matchAll(/from '(?:\.\.\/)+([\w-]+)\/index\.js'/g)]);
  const found = new Set(imports.map(([, name]) => name));
  return rooms.filter((room) => found.has(room));
}

/** Arrows that are implied by others are left out. */
function picture() {
  const reaches = (from, to) => uses.get(from).some((next) => next === to || reaches(next, to));
  const arrows = rooms.flatMap((room) =>
    uses
      .get(room)
      .filter((to) => !uses.get(room).some((other) => other !== to && reaches(other, to)))
      .map((to) => `  ${room} --> ${to}`),
  );
  return ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n');
}

function table() {
  const rows = rooms.map((room) => [`\`${room}\``, sentenceOf(room)]);
  const widths = [0, 1].map((column) => Math.max(5, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(['Room', 'What it does']), rule, ...rows.map(line)].join('\n');
}

function sentenceOf(room) {
  const text = readFileSync(join(root, 'core/src', room, 'index.ts'), 'utf8');
  const [, sentence] = /^\/\*\* (.+) \*\/\n/.exec(text) ?? [];
  if (!sentence) throw new Error(`core/src/${room}/index.ts must begin with a sentence about the room.`);
  return sentence;
}
