import { posix } from 'node:path';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Answers } from './answers.js';
import { mergedEntries } from './merge.js';
import type { Entry, MapTree, Tree } from './tree.js';

const deepest = 20;
/** Maps and lists within each other. */
const mostNested = 100;
/** A file of borgmatic has some hundred nodes; aliases could make many of few. */
const mostNodes = 10_000;
const longestKey = 200;

interface Reading {
  answers: Answers;
  file: string;
  depth: number;
  lines: LineCounter;
  /** The targets of aliases, collected once instead of searched for each. */
  anchors: Map<string, Node>;
  nested: number;
  count: { nodes: number };
}

/** Reads a file with its includes. Throws Unreadable. */
export function readTree(
  file: { name: string; content: string },
  answers: Answers,
  count = { nodes: 0 },
): MapTree {
  const tree = parse({ answers, depth: 0, nested: 0, count }, file);
  if (tree.kind === 'map') return tree;
  if (tree.kind === 'scalar' && tree.value === null)
    return { ...tree, kind: 'map', entries: [], retain: false };
  throw unreadable(file.name, 1, 'it is not a list of options');
}

type Surroundings = Pick<Reading, 'answers' | 'depth' | 'nested' | 'count'>;

function parse(around: Surroundings, { name, content }: { name: string; content: string }): Tree {
  if (around.depth > deepest) throw unreadable(name, 1, 'includes are nested too deeply');
  const lines = new LineCounter();
  const document = parsed(content, { name, lines });
  const [error] = document.errors;
  if (error) {
    const [first = ''] = error.message.split('\n');
    throw unreadable(name, error.linePos?.[0].line ?? 1, first.replace(/ at line .*$/, ''));
  }
  const reading = { ...around, file: name, lines, anchors: new Map() };
  return treeOf(reading, document.contents as Node | null);
}

function parsed(content: string, { name, lines }: { name: string; lines: LineCounter }): Document {
  try {
    return parseDocument(content, {
      lineCounter: lines,
      merge: false,
      uniqueKeys: false,
      logLevel: 'error',
      version: '1.2',
    });
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw unreadable(name, 1, nestedTooDeeply);
    throw error;
  }
}

const nestedTooDeeply = 'lists or maps are nested too deeply';

/** Why a file can't be read. */
export class Unreadable extends Error {
  constructor(readonly place: { file: string; line: number; problem: string }) {
    super(place.problem);
  }
}

export const unreadable = (file: string, line: number, problem: string) =>
  new Unreadable({ file, line, problem });

function treeOf(around: Reading, node: Node | null): Tree {
  const { file, lines, count, anchors } = around;
  const reading = { ...around, nested: around.nested + 1 };
  const line = node?.range ? lines.linePos(node.range[0]).line : 1;
  const place = { file, line };
  if (++count.nodes > mostNodes) throw unreadable(file, line, 'it is too large');
  if (reading.nested > mostNested) throw unreadable(file, line, nestedTooDeeply);
  if (node === null) return { kind: 'scalar', value: null, omit: false, ...place };
  if (isAlias(node)) {
    const named = anchors.get((node as Alias).source);
    if (!named) throw unreadable(file, line, 'an alias refers to nothing before it');
    return treeOf(reading, named);
  }
  const tree = withoutAlias(reading, node, place);
  const { anchor } = node as Scalar | YAMLMap | YAMLSeq;
  if (anchor) anchors.set(anchor, node);
  return tree;
}

function withoutAlias(reading: Reading, node: Node, place: { file: string; line: number }): Tree {
  if (node.tag === '!include') return included(reading, node, place.line);
  const retain = node.tag === '!retain';
  if (isSeq(node)) {
    const items = (node as YAMLSeq<Node>).items.map((item) => treeOf(reading, item));
    return { kind: 'list', items, retain, ...place };
  }
  if (isMap(node)) return { kind: 'map', entries: entriesOf(reading, node as YAMLMap), retain, ...place };
  const { value } = node as Scalar;
  const plain = ['string', 'number', 'boolean'].includes(typeof value) ? (value as string) : null;
  return { kind: 'scalar', value: plain, omit: node.tag === '!omit', ...place };
}

function entriesOf(reading: Reading, map: YAMLMap): Entry[] {
  const included: Entry[] = [];
  const own: Entry[] = [];
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    const key = String((pair.key as Scalar | null)?.value ?? '');
    const line = pair.key?.range ? reading.lines.linePos(pair.key.range[0]).line : 1;
    if (key.length > longestKey) throw unreadable(reading.file, line, 'the name of an option is too long');
    const value = treeOf(reading, pair.value);
    if (key === '<<') included.push(...mergedIn(value));
    else own.push({ key, value, file: reading.file, line });
  }
  return mergedEntries([...included, ...own]);
}

const mergedIn = (value: Tree): Entry[] => {
  if (value.kind === 'map') return value.entries;
  return value.kind === 'list' ? value.items.flatMap(mergedIn) : [];
};

function included(reading: Reading, node: Node, line: number): Tree {
  const { file } = reading;
  if (isSeq(node)) {
    const items = (node as YAMLSeq<Node>).items.map((item) => included(reading, item, line));
    return { kind: 'list', items, retain: false, file, line };
  }
  const given = String((node as Scalar).value ?? '');
  const name = /^[/~]/.test(given) ? given : posix.join(posix.dirname(file), given);
  const content = reading.answers.ask('include', name, { file, line });
  if (content === undefined) return { kind: 'map', entries: [], retain: false, file, line };
  return parse({ ...reading, depth: reading.depth + 1 }, { name, content });
}
