import type { Answers } from './answers.js';
import { entryOf, type MapTree, type ScalarTree, type Tree, textOf } from './tree.js';
import { shellWord } from './words.js';

/** Constants first, then variables and credentials, as borgmatic does. */
export function resolved(tree: MapTree, answers: Answers): MapTree {
  const named = entryOf(tree, 'constants')?.value;
  const constants = new Map(
    named?.kind === 'map' ? named.entries.map(({ key, value }) => [key, textOf(value)]) : [],
  );
  const filled = constants.size > 0 ? withConstants(tree, constants, false) : tree;
  return mapTexts(filled, (scalar) => withAnswers(scalar, answers)) as MapTree;
}

const constant = /(\\)?\{(\w+)(\\)?\}/g;
const isHook = (key: string) => /^(before|after)_|^(on_error|run)$/.test(key);

function withConstants(tree: Tree, constants: ReadonlyMap<string, string | null>, inHook: boolean): Tree {
  if (tree.kind === 'list')
    return { ...tree, items: tree.items.map((item) => withConstants(item, constants, inHook)) };
  if (tree.kind === 'map') {
    const entries = tree.entries.map((entry) => ({
      ...entry,
      value: withConstants(entry.value, constants, inHook || isHook(entry.key)),
    }));
    return { ...tree, entries };
  }
  if (typeof tree.value !== 'string' || tree.value === '') return tree;
  const text = tree.value.replace(constant, (whole, left, name, right) => {
    if (left && right) return inHook ? whole : `{${name}}`;
    const value = constants.get(name) ?? null;
    if (value === null) return whole;
    return inHook ? shellWord(value) : value;
  });
  return { ...tree, value: coerced(text) };
}

const coerced = (text: string): string | number | boolean => {
  if (/^\s*[+-]?\d+\s*$/.test(text)) return Number(text);
  return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
};

const variable = /(\\)?(\$\{([A-Za-z0-9_]+)(?::?-([^}]+))?\})/g;

function withAnswers(scalar: ScalarTree, answers: Answers): ScalarTree {
  if (typeof scalar.value !== 'string') return scalar;
  // No variable ends after the last brace; searching there would be slow.
  const end = scalar.value.lastIndexOf('}') + 1;
  const filled = scalar.value
    .slice(0, end)
    .replace(variable, (_match, escaped, whole: string, name: string, fallback?: string) => {
      if (escaped) return whole;
      return answers.ask('variable', name, scalar, fallback !== undefined) ?? fallback ?? '';
    });
  const text = filled + scalar.value.slice(end);
  const credential = /^\{credential\s([^}]+)\}$/.exec(text)?.[1]?.trim();
  const value = credential === undefined ? text : (answers.ask('credential', credential, scalar) ?? '');
  return { ...scalar, value };
}

function mapTexts(tree: Tree, change: (scalar: ScalarTree) => ScalarTree): Tree {
  if (tree.kind === 'scalar') return change(tree);
  if (tree.kind === 'list') return { ...tree, items: tree.items.map((item) => mapTexts(item, change)) };
  const entries = tree.entries.map((entry) => ({ ...entry, value: mapTexts(entry.value, change) }));
  return { ...tree, entries };
}
