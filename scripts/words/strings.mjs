/** Before a regular expression; before a division there is a value. */
const beforeExpression = /(?:^|[(,=:[!&|?{};+>]|\b(?:return|typeof|case|of|in))\s*$/;

/**
 * The string literals of a TypeScript source, each with its line and the source before it. `${…}` becomes `…`. Skips
 * comments and regular expressions.
 * @returns {{ text: string, line: number, before: string }[]}
 */
export function stringsOf(source) {
  const found = [];
  readCode(source, 0, '', found);
  return found.map(({ text, at }) => ({
    text,
    line: source.slice(0, at).split('\n').length,
    before: source.slice(Math.max(0, at - 200), at),
  }));
}

/** Reads up to a closing brace that was not opened here, and returns its position. */
function readCode(source, start, closing, found) {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const character = source[at];
    if (closing && depth === 0 && character === closing) return at;
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (character === "'" || character === '"') at = readString(source, at, found);
    else if (character === '`') at = readTemplate(source, at, found);
    else if (character === '/') at = readSlash(source, at);
  }
  return source.length;
}

/** An apostrophe in the text of an element ends with its line. */
function readString(source, start, found) {
  let at = start + 1;
  while (at < source.length && source[at] !== source[start]) {
    if (source[at] === '\n') return start;
    at += source[at] === '\\' ? 2 : 1;
  }
  found.push({ text: source.slice(start + 1, at).replace(/\\(.)/g, '$1'), at: start });
  return at;
}

function readTemplate(source, start, found) {
  let text = '';
  let at = start + 1;
  const inner = [];
  while (at < source.length && source[at] !== '`') {
    if (source[at] === '$' && source[at + 1] === '{') {
      at = readCode(source, at + 2, '}', inner) + 1;
      text += '…';
    } else {
      const length = source[at] === '\\' ? 2 : 1;
      text += source.slice(at, at + length);
      at += length;
    }
  }
  found.push({ text, at: start }, ...inner);
  return at;
}

function readSlash(source, start) {
  const next = source[start + 1];
  if (next === '/') return endOr(source.indexOf('\n', start), source);
  if (next === '*') return endOr(source.indexOf('*/', start + 2), source, 1);
  if (!beforeExpression.test(source.slice(Math.max(0, start - 20), start))) return start;
  let inClass = false;
  for (let at = start + 1; at < source.length && source[at] !== '\n'; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '[') inClass = true;
    else if (source[at] === ']') inClass = false;
    else if (source[at] === '/' && !inClass) return at;
  }
  return start;
}

const endOr = (at, source, more = 0) => (at === -1 ? source.length : at + more);
