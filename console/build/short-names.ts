import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';

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
const messageKey = /^ {2}(\w+)(?=[:(])/gm;
/** What stands before the messages of a file, and these. */
function split(code: string): [string, string] {
  const start = code.search(/^(export default|const messages)\b/m);
  return [code.slice(0, start), code.slice(start)];
}

/** The keys of areas all of whose uses can be read off the text: `t.area.key`, or `const { key } = t.area;`. */
function shortKeys(): Map<string, readonly string[]> {
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
      .map((area) => {
        const [, messages] = split(read(`messages/en/${area}.ts`));
        return [area, [...messages.matchAll(messageKey)].map(([, key = '']) => key)];
      }),
  );
}

/** Messages have names that say something. In the bundle they have numbers, which saves a thirtieth of all bytes. */
export function shortMessages(): Plugin {
  const keys = shortKeys();
  const short = (area: string, key: string) => {
    const index = keys.get(area)?.indexOf(key) ?? -1;
    return index < 0 ? key : `_${index.toString(36)}`;
  };
  function messages(code: string, area: string): string {
    const [before, after] = split(code);
    let found = 0;
    const changed = after.replace(messageKey, (_, key: string) => {
      found += 1;
      return `  ${short(area, key)}`;
    });
    if (keys.has(area) && found !== keys.get(area)?.length)
      throw new Error(`The messages of ${area} are not the same in all languages.`);
    return before + changed;
  }
  return {
    name: 'short-messages',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!id.startsWith(source) || !/\.tsx?$/.test(id)) return null;
      const area = /\/messages\/\w+\/(\w+)\.ts$/.exec(id)?.[1];
      const own = area ? messages(code, area) : code;
      return own
        .replace(named, (_, name: string, key: string) => `t.${name}.${short(name, key)}`)
        .replace(destructured, (_, list: string, name: string) => {
          const pairs = list.split(', ').map((key) => `${short(name, key)}: ${key}`);
          return `const { ${pairs.join(', ')} } = t.${name};`;
        });
    },
  };
}
