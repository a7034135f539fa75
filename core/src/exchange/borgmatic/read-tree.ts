import { posix } from 'node:path';
import type { Alias, Document, LineCounter, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { invalid, say } from '../../kernel/index.js';
import type { Answers } from './answers.rules.js';
import { mergedEntries } from './merge.rules.js';
import type { Entry, MapTree, Tree } from './tree.js';

const deepest = 20;
/** A file of borgmatic has some hundred nodes; aliases could make many of few. */
const mostNodes = 100_000;

interface Reading {
  yaml: typeof import('yaml');
  answers: Answers;
  file: string;
  depth: number;
  lines: LineCounter;
  document: Document;
  count: { nodes: number };
}

/** Reads a file with what it includes. Throws AppError `invalid`, which names the line. */
export async function readTree(file: { name: string; content: string }, answers: Answers): Promise<MapTree> {
  const yaml = await import('yaml');
  const tree = parse({ yaml, answers, depth: 0, count: { nodes: 0 } }, file);
  if (tree.kind === 'map') return tree;
  if (tree.kind === 'scalar' && tree.value === null)
    return { ...tree, kind: 'map', entries: [], retain: false };
  throw unreadable(file.name, 1, 'it is no list of options');
}

type Surroundings = Pick<Reading, 'yaml' | 'answers' | 'depth' | 'count'>;

function parse(around: Surroundings, { name, content }: { name: string; content: string }): Tree {
  if (around.depth > deepest) throw unreadable(name, 1, 'includes are nested too deeply');
  const lines = new around.yaml.LineCounter();
  const document = around.yaml.parseDocument(content, {
    lineCounter: lines,
    merge: false,
    uniqueKeys: false,
    logLevel: 'error',
    version: '1.2',
  });
  const [error] = document.errors;
  if (error) {
    const [first = ''] = error.message.split('\n');
    throw unreadable(name, error.linePos?.[0].line ?? 1, first.replace(/ at line .*$/, ''));
  }
  return treeOf({ ...around, file: name, lines, document }, document.contents as Node | null);
}

const unreadable = (file: string, line: number, problem: string) =>
  invalid(
    say('borgmatic_file_unreadable')`${{ file }}, line ${{ line }}: ${{ problem }}. Nothing was imported.`,
  );

function treeOf(reading: Reading, node: Node | null): Tree {
  const { yaml, file, lines, count } = reading;
  const line = node?.range ? lines.linePos(node.range[0]).line : 1;
  const place = { file, line };
  if (++count.nodes > mostNodes) throw unreadable(file, line, 'it is too large');
  if (node === null) return { kind: 'scalar', value: null, omit: false, ...place };
  if (yaml.isAlias(node)) return treeOf(reading, (node as Alias).resolve(reading.document) as Node);
  if (node.tag === '!include') return included(reading, node, place.line);
  const retain = node.tag === '!retain';
  if (yaml.isSeq(node)) {
    const items = (node as YAMLSeq<Node>).items.map((item) => treeOf(reading, item));
    return { kind: 'list', items, retain, ...place };
  }
  if (yaml.isMap(node))
    return { kind: 'map', entries: entriesOf(reading, node as YAMLMap), retain, ...place };
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
  const { yaml, file } = reading;
  if (yaml.isSeq(node)) {
    const items = (node as YAMLSeq<Node>).items.map((item) => included(reading, item, line));
    return { kind: 'list', items, retain: false, file, line };
  }
  const given = String((node as Scalar).value ?? '');
  const name = /^[/~]/.test(given) ? given : posix.join(posix.dirname(file), given);
  const content = reading.answers.ask('include', name, { file, line });
  if (content === undefined) return { kind: 'map', entries: [], retain: false, file, line };
  return parse({ ...reading, depth: reading.depth + 1 }, { name, content });
}
