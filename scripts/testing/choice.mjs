import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { deep, ringOf, subjectsFor, subjectsOf } from '../../test/rings.mjs';
import { root } from '../prepare/root.mjs';
import { PrepareError } from '../prepare/say.mjs';

const own = {
  ring: { type: 'string' },
  part: { type: 'string' },
  changed: { type: 'boolean' },
  list: { type: 'boolean' },
};

/**
 * Which tests a command line asks for.
 * @typedef {{ ring: '1' | '2' | '3' | 'named', list: boolean, words: string[], subjects: string[] | null, part: number[] }} Choice
 * words: filters and options of vitest; part: its number, and the number of parts
 * @returns {Choice}
 * @throws PrepareError
 */
export function choiceOf(given) {
  const { values, tokens } = parseArgs({ args: given, options: own, strict: false, tokens: true });
  // Several short options in one word have one index.
  const places = new Set(tokens.filter(({ name }) => !(name in own)).map(({ index }) => index));
  const words = [...places].map((place) => given[place]);
  const isNamed = words.some((word) => !word.startsWith('-'));
  const ring = values.ring ?? (isNamed ? 'named' : '1');
  if (ring !== '3') return { ring, words, list: values.list === true, subjects: null, part: [1, 1] };
  return { ring, list: values.list === true, ...deepChoice(values, words) };
}

function deepChoice({ part = '1/1', changed }, words) {
  const [, number, count] = /^(\d+)\/(\d+)$/.exec(part) ?? [];
  if (!(Number(number) >= 1 && Number(number) <= Number(count)))
    throw new PrepareError(`--part must be N/M with N from 1 to M, such as 2/8, not "${part}".`);
  const names = deep.map(({ name }) => name);
  const unknown = words.filter((word) => !changed && !word.startsWith('-') && !names.includes(word));
  if (unknown.length > 0)
    throw new PrepareError(
      `Ring 3 has no subject ${unknown.join(', ')}. Its subjects are: ${names.join(', ')}.`,
    );
  const named = words.filter((word) => !word.startsWith('-'));
  const options = words.filter((word) => word.startsWith('-'));
  const subjects = changed
    ? subjectsFor(changedSince(named[0] ?? 'HEAD~1'))
    : named.length > 0
      ? named
      : names;
  return { words: options, subjects, part: [Number(number), Number(count)] };
}

/** With what is not committed yet. */
function changedSince(commit) {
  const git = (...parameters) =>
    execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  try {
    return [...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')];
  } catch {
    throw new PrepareError(`Git knows no commit ${commit} here.`);
  }
}

/**
 * @param {import('vitest/node').TestSpecification[]} specifications
 * @param {Choice} choice
 */
export function chosenOf(specifications, { ring, subjects, part: [number, count] }) {
  const all = specifications.map((specification) => {
    const { moduleId, project } = specification;
    return { specification, path: relative(root, moduleId), project: project.name };
  });
  const chosen = all.filter(({ path, project }) => {
    if (ringOf(path, project) === null) return false;
    if (ring === 'named')
      return project === 'stores' ? ringOf(path, 'system') === null : !project.startsWith('stores');
    if (ring === '3') return subjectsOf(path, project).some((name) => subjects.includes(name));
    return String(ringOf(path, project)) === ring;
  });
  return chosen.filter((_, index) => index % count === number - 1).map(({ specification }) => specification);
}
