import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { shortCode } from '../src/i18n/short-code.ts';

const source = join(import.meta.dirname, '..', 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).sort();
const read = (file: string) => readFileSync(join(source, file), 'utf8');
const stylesheets = files.filter((file) => file.endsWith('.module.css'));
const classes = new Map<string, string[]>();

/** Of a class in CSS: the number of its file and its own, the same in each build. */
export function shortClass(name: string, file: string): string {
  const known = classes.get(file) ?? [];
  classes.set(file, known);
  if (!known.includes(name)) known.push(name);
  return `c${stylesheets.indexOf(relative(source, file)).toString(36)}-${known.indexOf(name).toString(36)}`;
}

const destructured = /const \{ ([\w, ]+) \} = t\.(\w+);/g;
const named = /\bt\.(\w+)\.(\w+)\b/g;
const entry = /^ {2}(\w+):/m;

/** An object at the top of a file: what stands before it, its entries by their keys, and the rest. */
function partsOf(code: string, start: RegExp) {
  const from = code.search(start);
  const open = code.indexOf('{\n', from);
  const close = code.indexOf('\n}', open);
  const [, ...pieces] = code.slice(open + 1, close).split(entry);
  const entries = pieces.flatMap((key, n) => (n % 2 === 0 ? [[key, pieces[n + 1] ?? ''] as const] : []));
  return { before: code.slice(0, open), entries, after: code.slice(close + 2) };
}
const messagesOf = (code: string) => partsOf(code, /^(export default|const messages)\b/m);

/** The keys of areas all of whose uses can be read off the text: `t.area.key`, or `const { key } = t.area;`. */
function keysOfAreas(): Map<string, readonly string[]> {
  const code = files
    .filter((file) => /\.tsx?$/.test(file))
    .map(read)
    .join('\n');
  const count = (pattern: RegExp) => [...code.matchAll(pattern)].length;
  const areas = files.flatMap((file) => /^messages\/en\/(\w+)\.ts$/.exec(file)?.[1] ?? []);
  return new Map(
    areas
      .filter(
        (area) =>
          count(new RegExp(`\\bt\\.${area}\\b`, 'g')) ===
          count(new RegExp(`\\bt\\.${area}\\.\\w|const \\{ [\\w, ]+ \\} = t\\.${area};`, 'g')),
      )
      .map((area) => [area, messagesOf(read(`messages/en/${area}.ts`)).entries.map(([key]) => key)]),
  );
}

/**
 * Messages have names that say something. In the bundle an area is a list, and sentences of the server have short
 * codes: a fiftieth of all bytes.
 */
export function shortMessages(): Plugin {
  const keys = keysOfAreas();
  const place = (area: string, key: string) => keys.get(area)?.indexOf(key) ?? -1;
  function list(code: string, area: string): string {
    const { before, entries, after } = messagesOf(code);
    const values = new Map(entries);
    const order = keys.get(area) ?? [];
    if (order.length !== values.size || order.some((key) => !values.has(key)))
      throw new Error(`The messages of ${area} are not the same in all languages.`);
    return `${before}[${order.map((key) => values.get(key)).join('')}\n]${after}`;
  }
  function sentences(code: string): string {
    const { before, entries, after } = partsOf(code, /^const sentences\b/m);
    const short = new Map(entries.map(([key, value]) => [shortCode(key), value]));
    if (short.size !== entries.length) throw new Error('Two codes of sentences have one short code.');
    // Similar ones beside each other compress better.
    const sorted = [...short].sort(([, a], [, b]) => (a.trim() < b.trim() ? -1 : 1));
    return `${before}{${sorted.map((pair) => pair.join(':')).join('\n')}\n}${after}`;
  }
  return {
    name: 'short-messages',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!id.startsWith(source) || !/\.tsx?$/.test(id)) return null;
      if (/\/messages\/server\.\w+\.ts$/.test(id)) return sentences(code);
      const area = /\/messages\/\w+\/(\w+)\.ts$/.exec(id)?.[1];
      const own = area && keys.has(area) ? list(code, area) : code;
      return own
        .replace(named, (whole, name: string, key: string) =>
          place(name, key) < 0 ? whole : `t.${name}[${place(name, key)}]`,
        )
        .replace(destructured, (whole, names: string, name: string) => {
          const pairs = names.split(', ').map((key) => `${place(name, key)}: ${key}`);
          return keys.has(name) ? `const { ${pairs.join(', ')} } = t.${name};` : whole;
        });
    },
  };
}
