/** One character of a text, or any number of them. */
type Token = '*' | ((character: string) => boolean);
export type Glob = readonly Token[];

const any = () => true;

/** What patterns have in common, because thousands of them mostly use the same few sets and characters. */
export type Tokens = Map<string, Token | null>;

/** `*`, `?` and `[…]` as in Python's fnmatch. Null for a set that can't be understood. */
export function asGlob(pattern: string, known: Tokens): Glob | null {
  const tokenOf = (text: string, make: (text: string) => Token | null) => {
    const token = known.get(text);
    if (token !== undefined) return token;
    const made = make(text);
    known.set(text, made);
    return made;
  };
  const characters = Array.from(pattern);
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    if (character === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*');
    } else if (character === '?') tokens.push(any);
    else {
      const end = character === '[' ? endOfSet(characters, at + 1) : null;
      const token =
        end === null
          ? tokenOf(character, (own) => (other) => other === own)
          : tokenOf(characters.slice(at, end + 1).join(''), (set) => asSet(set.slice(1, -1)));
      if (!token) return null;
      tokens.push(token);
      at = end ?? at;
    }
  }
  return tokens;
}

/** The index of the closing bracket; null for a bracket that stands for itself. */
function endOfSet(characters: readonly string[], start: number): number | null {
  let at = start;
  if (characters[at] === '!') at += 1;
  if (characters[at] === ']') at += 1;
  const end = characters.indexOf(']', at);
  return end === -1 ? null : end;
}

function asSet(text: string): Token | null {
  const negated = text.startsWith('!');
  const inside = (negated ? text.slice(1) : text).replace(/[\\\]^[]/g, '\\$&');
  try {
    const set = new RegExp(`[${negated ? '^' : ''}${inside}]`, 'su');
    return (character) => set.test(character);
  } catch {
    return null;
  }
}

/** Whether the glob matches the whole text. Goes back only to the last star, which is enough. */
export function matchesGlob(glob: Glob, text: string): boolean {
  const characters = Array.from(text);
  let [token, at] = [0, 0];
  let star: { token: number; at: number } | null = null;
  while (at < characters.length) {
    const expected = glob[token];
    if (expected === '*') {
      star = { token, at };
      token += 1;
    } else if (expected?.(characters[at] as string)) {
      token += 1;
      at += 1;
    } else if (star) {
      star.at += 1;
      ({ at } = star);
      token = star.token + 1;
    } else return false;
  }
  while (glob[token] === '*') token += 1;
  return token === glob.length;
}
