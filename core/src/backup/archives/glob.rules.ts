import { caseless } from '../../foundation/kernel/index.js';
import { Automaton, type Step } from './automaton.rules.js';

const slash = 47;
const isAny = () => true;
const isNoSlash = (unit: number) => unit !== slash;

/**
 * Patterns for names and paths: `*`, `?`, `[abc]`, `{one,other}`, `**` for any number of folders, `\` to escape.
 * Every text is a valid pattern. Matching takes time proportional to the text.
 */
export function makeGlob(
  pattern: string,
  { caseSensitive }: { caseSensitive: boolean },
): (text: string) => boolean {
  const fold = (text: string) => (caseSensitive ? text : caseless(text));
  const automaton = new Automaton(new Compiler(fold(pattern)).steps());
  return (text) => automaton.matches(fold(text));
}

interface Part {
  from: number;
  to: number;
  /** A path segment starts here. */
  first: boolean;
}

class Compiler {
  readonly #steps: Step[] = [];

  constructor(private readonly pattern: string) {}

  steps(): Step[] {
    this.#part({ from: 0, to: this.pattern.length, first: true });
    return this.#steps;
  }

  #part({ from, to, first }: Part): void {
    for (let at = from; at < to; ) {
      at = this.#next({ from: at, to, first: at === from ? first : this.pattern[at - 1] === '/' });
    }
  }

  /** Compiles the next token of a part. Returns the position after it. */
  #next(rest: Part): number {
    const { from, to } = rest;
    switch (this.pattern[from]) {
      case '*':
        return this.#stars(rest);
      case '?':
        this.#take(isNoSlash);
        return from + 1;
      case '[':
        return this.#oneOf(rest) ?? this.#literal(from);
      case '{':
        return this.#alternatives(rest) ?? this.#literal(from);
      case '\\':
        return this.#literal(Math.min(from + 1, to - 1));
      case '/':
        return this.#folder(rest);
      default:
        return this.#literal(from);
    }
  }

  #literal(at: number): number {
    const wanted = this.pattern.charCodeAt(at);
    this.#take((unit) => unit === wanted);
    return at + 1;
  }

  /** `a/**` also matches `a`. */
  #folder({ from, to }: Part): number {
    if (!/^\/\*{2,}$/.test(this.pattern.slice(from, to))) return this.#literal(from);
    this.#choice([
      () => {
        this.#literal(from);
        this.#many(isAny);
      },
      () => {},
    ]);
    return to;
  }

  #stars({ from, to, first }: Part): number {
    let end = from;
    while (end < to && this.pattern[end] === '*') end++;
    const isFolders = first && end - from > 1;
    if (isFolders && end < to && this.pattern[end] === '/') {
      this.#choice([
        () => {
          this.#many(isAny);
          this.#literal(end);
        },
        () => {},
      ]);
      return end + 1;
    }
    this.#many(isFolders && end === to ? isAny : isNoSlash);
    return end;
  }

  /** Null for an unclosed bracket. The literal text also matches, so that `track [1]` finds itself. */
  #oneOf({ from, to }: Part): number | null {
    const close = this.pattern.indexOf(']', from + 2);
    if (close < 0 || close >= to) return null;
    const text = this.pattern.slice(from + 1, close);
    const isNegated = /^[!^]./s.test(text);
    const isListed = listed(isNegated ? text.slice(1) : text);
    const take = () => this.#take((unit) => isListed(unit) !== isNegated && (unit !== slash || !isNegated));
    if (isNegated || /[-\\]/.test(text)) take();
    else {
      this.#choice([
        take,
        () => {
          for (let at = from; at <= close; at++) this.#literal(at);
        },
      ]);
    }
    return close + 1;
  }

  /** Null for an unclosed brace, and for one without alternatives. */
  #alternatives({ from, to, first }: Part): number | null {
    const ends = this.#endsOf(from, to);
    const close = ends?.at(-1);
    if (!ends || close === undefined) return null;
    const range = /^(.)\.\.(.)$/.exec(this.pattern.slice(from + 1, close));
    if (range) this.#take(listed(`${range[1]}-${range[2]}`));
    else if (ends.length === 1) return null;
    else {
      const parts = ends.map((end, index) => ({ from: (ends[index - 1] ?? from) + 1, to: end, first }));
      this.#choice(parts.map((part) => () => this.#part(part)));
    }
    return close + 1;
  }

  /** Where each alternative of a brace ends; the last one ends with the brace. */
  #endsOf(from: number, to: number): number[] | null {
    const ends: number[] = [];
    let depth = 0;
    for (let at = from; at < to; at++) {
      const sign = this.pattern[at];
      if (sign === '\\') at++;
      else if (sign === '{') depth++;
      else if (sign === ',' && depth === 1) ends.push(at);
      else if (sign === '}' && --depth === 0) return [...ends, at];
    }
    return null;
  }

  #take(test: (unit: number) => boolean): void {
    this.#steps.push({ test });
  }

  #many(test: (unit: number) => boolean): void {
    const begin = this.#steps.length;
    this.#steps.push({ to: [begin + 1, begin + 3] }, { test }, { to: [begin] });
  }

  #choice(branches: readonly (() => void)[]): void {
    const begins: number[] = [];
    const ends: number[][] = [];
    this.#steps.push({ to: begins });
    for (const branch of branches) {
      begins.push(this.#steps.length);
      branch();
      const end: number[] = [];
      ends.push(end);
      this.#steps.push({ to: end });
    }
    for (const end of ends) end.push(this.#steps.length);
  }
}

/** The content of brackets: units and ranges of units. */
function listed(text: string): (unit: number) => boolean {
  const ranges: [from: number, to: number][] = [];
  const signs = text.replace(/\\(?=.)/gs, '');
  for (let at = 0; at < signs.length; at++) {
    const from = signs.charCodeAt(at);
    const isRange = signs[at + 1] === '-' && at + 2 < signs.length;
    ranges.push([from, signs.charCodeAt(isRange ? at + 2 : at)]);
    if (isRange) at += 2;
  }
  return (unit) => ranges.some(([from, to]) => from <= unit && unit <= to);
}
