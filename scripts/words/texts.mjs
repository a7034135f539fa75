import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringsOf } from './strings.mjs';

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
/** Generated from texts that are checked in the sources, or full of bad examples. */
const skippedPages = ['docs/developers/messages.md', 'docs/contributing/style.md'];
const isTest = /\.test\.tsx?$/;
const prose = /[\p{L}’'`.,…)] +[\p{L}(“`'…]/u;

/**
 * Every text below a checkout that people read.
 * @returns {{ kind: string, file: string, line: number, text: string }[]}
 */
export function textsOf(checkout) {
  const read = (file) => readFileSync(join(checkout, file), 'utf8');
  const below = (folder, wanted) =>
    existsSync(join(checkout, folder))
      ? readdirSync(join(checkout, folder), { recursive: true })
          .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
          .filter((file) => wanted.test(file) && !/(?:^|\/)(?:node_modules|dist)\//.test(file))
          .sort()
      : [];
  const strings = (kind, files, isWanted) =>
    files.flatMap((file) =>
      stringsOf(read(file))
        .filter(isWanted)
        .map(({ text, line }) => ({ kind, file, line, text: kind === 'message' ? withoutCode(text) : text })),
    );
  const plugins = existsSync(join(checkout, 'plugins')) ? readdirSync(join(checkout, 'plugins')) : [];
  const sources = ['core/src', 'server/src', ...plugins.map((name) => `plugins/${name}/src`)];
  const packages = ['core', 'server', 'contracts', 'client', 'cli', 'console'];
  const tests = [...packages, ...plugins.map((name) => `plugins/${name}`)].map((name) => `${name}/test`);

  return [
    ...[...pages.filter((file) => existsSync(join(checkout, file))), ...below('docs', /\.md$/)]
      .filter((file) => !skippedPages.includes(file))
      .flatMap((file) => linesOf(read(file)).map((line) => ({ kind: 'page', file, ...line }))),
    ...strings('console', below('console/src/messages/en', /\.ts$/), ({ text }) => prose.test(text)),
    ...strings(
      'message',
      sources.flatMap((folder) => below(folder, /\.ts$/)),
      isMessage,
    ),
    ...strings('contract', below('contracts/src', /\.ts$/), ({ text }) => prose.test(text)),
    ...strings('command', below('server/src/cli', /\.ts$/), isOtherProse),
    ...strings('notification', below('core/src/insight/notifications', /\.ts$/), isOtherProse),
    // The names of cases: plugin authors see them fail.
    ...strings(
      'suite',
      ['plugins/testkit/src', 'test/src/conformance'].flatMap((folder) => below(folder, /\.ts$/)),
      ({ text }) => prose.test(text),
    ),
    ...[...tests, 'test/src']
      .flatMap((folder) => below(folder, isTest))
      .flatMap((file) => titlesOf(read(file)).map((title) => ({ file, ...title }))),
  ];
}

const withoutCode = (text) => text.replace(/^\S+: /, '');
const isMessage = ({ before }) => /\bsay$/.test(before);
const isOtherProse = (each) => prose.test(each.text) && !isMessage(each);

/** Without blocks of code, code in lines, and the targets of links. */
function linesOf(page) {
  let isCode = false;
  return page.split('\n').flatMap((text, index) => {
    if (/^\s*```/.test(text)) isCode = !isCode;
    const shown = text.replace(/`[^`]*`/g, '`…`').replace(/\]\([^)]*\)/g, ']');
    return isCode ? [] : [{ line: index + 1, text: shown.replace(/^(?:#+|[-*]|\d+\.) +/, '') }];
  });
}

const called = /\b(it|test|describe)(?:\.\w+)*\(\s*$/;

/** First arguments of `it`, `test` and `describe`, also after `each(…)`. */
function titlesOf(source) {
  const all = stringsOf(source);
  return all.flatMap(({ text, line, before }) => {
    const name = called.exec(before)?.[1] ?? (/\)\(\s*$/.test(before) ? lastCall(source, line) : undefined);
    return name ? [{ kind: name === 'describe' ? 'suite' : 'title', line, text }] : [];
  });
}

function lastCall(source, line) {
  const before = source.split('\n').slice(0, line).join('\n');
  return [...before.matchAll(/\b(it|test|describe)(?:\.\w+)*\.(?:each|for|skipIf|runIf)\b/g)].at(-1)?.[1];
}
