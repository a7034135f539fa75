import type { ImportedOption } from '@holdfast/plugin-api/importer';

/** A configuration file as a tree with the line of each value. */
export type Tree = MapTree | ListTree | ScalarTree;

export interface Place {
  file: string;
  line: number;
}

export interface Entry extends Place {
  key: string;
  value: Tree;
}

export interface MapTree extends Place {
  kind: 'map';
  entries: Entry[];
  /** `!retain`: replaces what was included instead of being merged with it. */
  retain: boolean;
}

export interface ListTree extends Place {
  kind: 'list';
  items: Tree[];
  retain: boolean;
}

export interface ScalarTree extends Place {
  kind: 'scalar';
  value: string | number | boolean | null;
  /** `!omit`: takes this value out of an included list. */
  omit: boolean;
}

export const entryOf = (tree: Tree | undefined, key: string): Entry | undefined =>
  tree?.kind === 'map' ? tree.entries.find((entry) => entry.key === key) : undefined;

/** The text of a scalar as borgmatic uses it; null for anything else. */
export function textOf(tree: Tree | undefined): string | null {
  if (tree?.kind !== 'scalar' || tree.value === null) return null;
  return String(tree.value);
}

/** The texts of a list; a single text counts as a list of one. Null if an item is not a text. */
export function textsOf(tree: Tree | undefined): string[] | null {
  if (tree?.kind === 'scalar') {
    const text = textOf(tree);
    return text === null ? [] : [text];
  }
  if (tree?.kind !== 'list') return null;
  const texts = tree.items.map(textOf);
  return texts.includes(null) ? null : (texts as string[]);
}

/** One option in a file. */
export interface Option extends ImportedOption {
  value: Tree;
}

export const withoutValue = ({ file, line, key, name }: ImportedOption): ImportedOption => ({
  file,
  line,
  key,
  name,
});

/** An object of a settings document, or of a file of borgmatic. */
export type Value = Record<string, unknown>;
